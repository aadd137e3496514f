-- The benchmark's routes. JSON is put together by hand, because cjson keeps no order of keys.
local mysql = require "mysql"
local cjson = require "cjson"

local quote = cjson.encode
local concat = table.concat
local COLUMNS = "SELECT userId, CONCAT(firstname, ' ', lastname) AS name, email FROM Users "
local options = {
    path = os.getenv("BENCH_SOCKET"),
    database = os.getenv("BENCH_DATABASE"),
    user = "mouse",
    password = "cheese",
    pool_size = math.max(1, tonumber(os.getenv("BENCH_WORKER_POOL"))),
}
local routes = {}

local function send(text)
    ngx.header["Content-Type"] = "application/json"
    ngx.header["Content-Length"] = #text
    ngx.print(text)
end

local function query(sql)
    local rows, err = mysql.query(options, sql)
    if not rows then
        ngx.log(ngx.ERR, err)
        return ngx.exit(500)
    end
    return rows
end

local function user(row)
    return concat { '{"userId":', row[1], ',"name":', quote(row[2]), ',"email":', quote(row[3]), "}" }
end

function routes.hello()
    send('{"message":"Hello World"}')
end

function routes.point(id)
    local rows = query(COLUMNS .. "WHERE userId = " .. id)
    if not rows[1] then
        return ngx.exit(404)
    end
    send(user(rows[1]))
end

function routes.users()
    local rows = query(COLUMNS .. "ORDER BY userId LIMIT 100")
    for i = 1, #rows do
        rows[i] = user(rows[i])
    end
    send("[" .. concat(rows, ",") .. "]")
end

function routes.sleep(seconds)
    send('{"slept":' .. query("SELECT SLEEP(" .. seconds .. ") AS slept")[1][1] .. "}")
end

function routes.compute(steps)
    local sum, text = 0, nil
    for i = 0, steps - 1 do
        sum = sum + math.sqrt(i)
    end
    for digits = 15, 17 do
        text = ("%." .. digits .. "g"):format(sum)
        if tonumber(text) == sum then
            break
        end
    end
    send('{"sum":' .. text .. "}")
end

return routes
