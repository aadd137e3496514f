-- What the benchmark needs of MariaDB's protocol, over nginx's sockets: log-in with a password
-- by mysql_native_password, COM_QUERY, rows as lists of texts. Debian packages no client for
-- nginx; this one does less than lua-resty-mysql, so it costs no more.
local bit = require "bit"
local semaphore = require "ngx.semaphore"
local byte, char, sub, find = string.byte, string.char, string.sub, string.find
local concat = table.concat

local CLIENT_FLAGS = 0x0008a209 -- long password, with database, 4.1, transactions, secure, plugins
local UTF8MB4 = 45
local COM_QUERY = "\3"

local function number(text, from, bytes)
    local value, factor = 0, 1
    for i = from, from + bytes - 1 do
        value = value + byte(text, i) * factor
        factor = factor * 256
    end
    return value
end

local function little_endian(value, bytes)
    local out = {}
    for i = 1, bytes do
        out[i] = char(value % 256)
        value = math.floor(value / 256)
    end
    return concat(out)
end

local function send(socket, sequence, body)
    return socket:send({ little_endian(#body, 3), char(sequence), body })
end

local function receive(socket)
    local head, err = socket:receive(4)
    if not head then
        return nil, err
    end
    local body
    body, err = socket:receive(number(head, 1, 3))
    if not body then
        return nil, err
    end
    if byte(body) == 255 then
        return nil, sub(body, 4)
    end
    return body, byte(head, 4)
end

-- SHA1(password) XOR SHA1(scramble, SHA1(SHA1(password)))
local function scrambled(password, scramble)
    local once = ngx.sha1_bin(password)
    local mask = ngx.sha1_bin(scramble .. ngx.sha1_bin(once))
    local out = {}
    for i = 1, #once do
        out[i] = char(bit.bxor(byte(once, i), byte(mask, i)))
    end
    return concat(out)
end

local function log_in(socket, options)
    local hello, err = receive(socket)
    if not hello then
        return nil, err
    end
    local version_end = find(hello, "\0", 2, true)
    local scramble = sub(hello, version_end + 5, version_end + 12)
        .. sub(hello, version_end + 32, version_end + 43)
    local proof = scrambled(options.password, scramble)
    send(socket, 1, concat {
        little_endian(CLIENT_FLAGS, 4), little_endian(16777216, 4), char(UTF8MB4), ("\0"):rep(23),
        options.user, "\0", char(#proof), proof, options.database, "\0", "mysql_native_password\0",
    })
    return receive(socket)
end

-- The text that starts at `from` behind its length, and where the next one starts.
local function text_at(row, from)
    local length, bytes = byte(row, from), 1
    if length == 251 then
        return nil, from + 1
    elseif length == 252 then
        length, bytes = number(row, from + 1, 2), 3
    elseif length == 253 then
        length, bytes = number(row, from + 1, 3), 4
    end
    return sub(row, from + bytes, from + bytes + length - 1), from + bytes + length
end

local function is_eof(body)
    return byte(body) == 254 and #body < 9
end

local function read_rows(socket)
    local head, err = receive(socket)
    if not head then
        return nil, err
    end
    local columns, rows = byte(head), {}
    for _ = 1, columns + 1 do -- the columns' descriptions and what ends them
        if not receive(socket) then
            return nil, "cut off"
        end
    end
    while true do
        local body = receive(socket)
        if not body then
            return nil, "cut off"
        end
        if is_eof(body) then
            return rows
        end
        local row, from = {}, 1
        for i = 1, columns do
            row[i], from = text_at(body, from)
        end
        rows[#rows + 1] = row
    end
end

local function query_once(options, sql)
    local socket = ngx.socket.tcp()
    socket:settimeouts(5000, 5000, 5000)
    local ok, err = socket:connect("unix:" .. options.path,
        { pool = "mysql", pool_size = options.pool_size })
    if ok and socket:getreusedtimes() == 0 then
        ok, err = log_in(socket, options)
    end
    if not ok then
        return nil, err
    end
    local rows
    send(socket, 0, COM_QUERY .. sql)
    rows, err = read_rows(socket)
    if rows then
        socket:setkeepalive(60000, options.pool_size)
    else
        socket:close()
    end
    return rows, err
end

local mysql = {}
local turns -- of this worker

-- The rows of one query on a connection of the worker's pool; above options.pool_size they wait,
-- first come, first served. What the sockets have for that (connect's option `backlog`) does not
-- hold: a request may take an idle connection before the one that was woken for it, and that one
-- opens another then. Two loads of 3 s by 100 clients made 98 connections of 20.
function mysql.query(options, sql)
    turns = turns or semaphore.new(options.pool_size)
    local ok, err = turns:wait(5)
    if not ok then
        return nil, err
    end
    local rows
    rows, err = query_once(options, sql)
    turns:post(1)
    return rows, err
end

return mysql
