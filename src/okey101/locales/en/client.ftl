# Programs that play at a served table, and what `okey101 client-check` says of them.

## Errors
error-act-pending = An action of this turn still waits for its answer.
error-bad-address = { $address } is no address of a server; one begins with http:// or https://.
error-line-closed = The program has closed the line itself.
error-no-server = No server answers at { $address }: { $reason }.
error-not-okey101 = What answers at { $address } is no server of okey101.
error-other-protocol = The server speaks protocol { $theirs }, this program { $ours }.
error-unfair-deal = The deal does not fit what was promised: { $reason }.
error-was-refused = The server refuses the connection with HTTP { $status }.
