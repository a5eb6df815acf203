# The command that runs the server: where it is found, and why it does not start.

## Help
cli-serve =
    Run a server for tables of people and bots, for this machine or for a network.

    Everything is kept in one folder. With --host 0.0.0.0 other devices in the network reach it. More can be set in the environment, in variables that begin with OKEY101_. Ctrl-C stops the server when everything is stored; a second one stops it at once.
cli-serve-short = Run a server for tables of people and bots.
opt-host = The address to listen on (default 127.0.0.1: only this machine; 0.0.0.0: the whole network).
opt-port = The port (default 8101; 0 takes a free one).
opt-store = Where tables are kept: a folder, or its full path as sqlite:///FOLDER.
opt-data = The folder where the server keeps everything (default okey101 in the user's data folder).
opt-refused-names = A file of words that names may not hold, one a line.
opt-public-url = The address by which browsers reach the server from outside, such as https://okey.example.
opt-allowed-hosts = A name, beside this machine's own, by which browsers may reach the server; may be given more than once.
opt-browse = Open the page in a browser.

## Answers
serve-open = Open { $url } in a browser.
serve-other = Also there: { $url }
serve-stop = Ctrl-C stops the server.

## Failures
error-bad-server-setting = { $wanted ->
    [number] { $setting } has to be a number from { $what }.
    [above-zero] { $setting } has to be a number above 0, at most { $what }.
    [choice] { $setting } has to be one of these: { $what }.
    [length] { $setting } has to be a text of { $what } characters.
    [bots] { $setting } has to be name=bot pairs, separated by semicolons; the names in small letters and new.
    [hosts] { $setting } has to be names such as okey.lan, separated by commas, without ports.
    [networks] { $setting } has to be networks such as 10.0.0.0/8, separated by commas.
    [database] { $setting } has to be an address such as postgresql://user@host/name.
    [endpoint] { $setting } has to be an address such as 10.0.0.1:8102.
    [origin] { $setting } has to be an address such as https://okey.example, without a path.
    [file] { $setting } has to name a file that can be read.
    [site] { $setting } has to be the folder of a built site, with an index.html in it.
    [twice] { $setting } can't be given where { $what } is given as well.
   *[folder] { $setting } has to be the path of a folder.
}
error-store-unsupported = Tables can't be kept in { $kind }; use sqlite:///FOLDER or postgresql://USER@HOST/NAME.
error-two-stores = --store and --data name different folders.
error-bad-refused-names = { $path } can't be used for refused names: { $wrong ->
    [unreadable] it can't be read.
    [large] it has more than a megabyte.
    [encoding] it is not UTF-8.
   *[word] line { $line } is not one word of two letters or more.
}
error-store-unwritable = { $path } can't be written, and the server keeps everything there.
error-store-not-ours = { $path } was not made by okey101.
error-store-newer = { $path } was written by a newer okey101.
error-store-corrupt = { $path } is damaged.
error-store-in-use = { $path } is in use by another server or program.
error-store-unreachable = The database can't be used: { $reason }.
error-node-port = Other nodes can't be listened to at { $address }: { $reason }. Choose another address with OKEY101_NODE_LISTEN.
error-store-too-old = PostgreSQL 14 or newer is needed; this one is older.
error-store-not-durable = PostgreSQL runs with fsync off and could lose what it has acknowledged; turn it on.
error-bad-admin-token = { $path } has no token in it; delete it and start again.
error-foreign-owner = { $path } belongs to { $owner }, and the server runs as { $user }. After a restore, hand the whole folder over: chown -R { $user } { $folder }
error-open-admin-token = { $path } may be read by others; delete it and start again, or make it yours alone with: chmod 600
error-port-in-use = Port { $port } is in use by another program; choose another with --port, or 0 for any free one.
error-port-forbidden = Port { $port } may not be used; choose one from 1024 on.
error-port-failed = Port { $port } can't be used: { $reason }
error-bad-host = { $host } is not an address of this machine.
error-start-failed = The server did not start.

## ``okey101 store``
cli-store = Move what a server keeps to another place.
cli-store-short = Move what a server keeps.
cli-store-copy =
    Copy everything that a server keeps to another place: to a folder, or to a PostgreSQL database.

    FROM and TO are folders, or addresses such as postgresql://user@host/name. No server may use them meanwhile. TO has to be empty. A copy that was stopped goes on where it was when the command is given again. At the end both are compared row by row, and all that admin check looks at is checked.
cli-store-copy-short = Copy everything to another folder or database.
opt-store-copy-source = Where everything is.
opt-store-copy-target = Where it is to be.
store-copying = Copying
store-copied = Copied and compared: { $rows } rows, with { $people } people and { $matches } matches.
store-keys = These files stay in the folder that the server had. Serve the copy with that folder (--data), or copy them into its new one: { $files }
store-served = Don't serve { $source } any more: what happens there is not in the copy.
error-store-not-empty = { $path } is not empty, or holds the unfinished copy of something else.
error-store-unfinished = { $path } holds a copy that is not finished; give the command store copy again.
error-copy-differs = The table { $table } is another one in the copy: has the source been served meanwhile? Empty the target and copy again.
error-copy-failed = The copy has stopped ({ $reason }). The same command goes on from there.
