# The command that runs the server: where it is found, and why it does not start.

## Help
cli-serve =
    Run a server for tables of people and bots, on this machine or for a network.

    The server keeps everything in one folder. With --host 0.0.0.0 other devices in the network reach it. Environment variables that begin with OKEY101_ set more. Ctrl-C stops the server once everything is stored; press it again to stop at once.
cli-serve-short = Run a server for tables of people and bots.
opt-host = The address to listen on (default 127.0.0.1: only this machine; 0.0.0.0: the whole network).
opt-port = The port (default 8101; 0 takes any free one).
opt-store = Where tables are kept: a folder, its full path as sqlite:///FOLDER, or a database such as postgresql://user@host/name.
opt-data = The folder where the server keeps everything (default okey101 in the user's data folder).
opt-refused-names = A file of words that names may not contain, one on each line.
opt-public-url = The address that browsers use from outside, such as https://okey.example.
opt-allowed-hosts = Another name that browsers may use for the server, besides this machine's own; may be repeated.
opt-browse = Open the page in a browser.
opt-verbose = Show the whole log at a terminal, and not only warnings.

## Answers
serve-open = Open { $url } in a browser.
serve-other = It is also at: { $url }
serve-stop = Press Ctrl-C to stop the server.

## Failures
error-bad-server-setting = { $wanted ->
    [number] { $setting } must be a number in the range { $what }.
    [above-zero] { $setting } must be a number above 0, at most { $what }.
    [choice] { $setting } must be one of these: { $what }.
    [length] { $setting } must be a text of { $what } characters.
    [bots] { $setting } must be name=bot pairs, separated by semicolons; the names in small letters and new.
    [hosts] { $setting } must be names such as okey.lan, separated by commas, without ports.
    [networks] { $setting } must be networks such as 10.0.0.0/8, separated by commas.
    [database] { $setting } must be an address such as postgresql://user@host/name.
    [endpoint] { $setting } must be an address such as 10.0.0.1:8102.
    [origin] { $setting } must be an address such as https://okey.example, without a path.
    [file] { $setting } must name a file that can be read.
    [site] { $setting } must be the folder of a built site, with an index.html in it.
    [twice] Give { $setting } or { $what }, not both.
   *[folder] { $setting } must be the path of a folder.
}
error-store-unsupported = Tables can't be kept in { $kind }. Use sqlite:///FOLDER or postgresql://USER@HOST/NAME.
error-two-stores = --store and --data name different folders. Give only one of them.
error-bad-refused-names = { $path } can't be used for refused names: { $wrong ->
    [unreadable] it can't be read.
    [large] it is larger than a megabyte.
    [encoding] it is not UTF-8.
   *[word] line { $line } is not one word of two letters or more.
}
error-store-unwritable = { $path } can't be written, but the server keeps everything there. Change the permissions, or choose another folder.
error-store-not-ours = { $path } was not made by okey101. Choose another place.
error-store-newer = { $path } was written by a newer okey101. Install that version or a later one.
error-store-other-build = These data were written by another build of okey101, from between two releases. Start with other data (--data FOLDER), or move these away.
error-store-corrupt = { $path } is damaged. Put a backup back.
error-store-in-use = Another server or program is using { $path }. Stop it first.
error-store-unreachable = The database can't be used: { $reason }.
error-node-port = This node can't listen to other nodes at { $address }: { $reason }. Choose another address with OKEY101_NODE_LISTEN.
error-store-too-old = This PostgreSQL is too old. Use version 14 or newer.
error-store-not-durable = PostgreSQL runs with fsync off, so it could lose what it has acknowledged. Turn fsync on.
error-bad-admin-token = { $path } has no token in it. Delete the file and start again.
error-foreign-owner = { $path } belongs to { $owner }, but the server runs as { $user }. After a restore, hand the whole folder over: chown -R { $user } { $folder }
error-open-admin-token = Others may read { $path }. Delete it and start again, or make it yours alone with: chmod 600
error-port-in-use = Another program is using port { $port }. Choose another port with --port, or 0 for any free one.
error-port-forbidden = You have no permission to use port { $port }. Choose one from 1024 on.
error-port-failed = Port { $port } can't be used: { $reason }
error-bad-host = { $host } is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for the whole network.

## ``okey101 store``
cli-store = Move a server's data to another place.
cli-store-short = Move a server's data.
cli-store-copy =
    Copy all data of a server to another place: a folder, or a PostgreSQL database.

    FROM and TO are folders, or addresses such as postgresql://user@host/name. No server may use them meanwhile. TO has to be empty. If a copy stops halfway, the same command goes on from there. At the end the command compares both row by row, and checks all that admin check does.
cli-store-copy-short = Copy all data to another folder or database.
opt-store-copy-source = Where the data is.
opt-store-copy-target = Where the data goes.
store-copying = Copying
store-copied = Copied and compared. Rows: { $rows }, people: { $people }, matches: { $matches }.
store-keys = These files stay in the server's old folder. Serve the copy with that folder (--data), or copy the files into the new one: { $files }
store-served = Don't run a server on { $source } any more: what happens there will not be in the copy.
error-store-not-empty = { $path } is not empty, or holds an unfinished copy of something else. Choose an empty place.
error-store-unfinished = The copy in { $path } is not finished. Give the command store copy again.
error-copy-differs = The table { $table } differs in the copy. A server may have used the source meanwhile. Empty the target and copy again.
error-copy-failed = The copy has stopped: { $reason }. The same command goes on from there.
