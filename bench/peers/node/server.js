// The benchmark's routes by node:http and mysql2, a cluster of two processes; each has its part of
// the pool and prepares its statements once a connection.
'use strict';
const cluster = require('node:cluster');
const http = require('node:http');
const mysql = require('mysql2');

const processes = 2;
const columns = "SELECT userId, CONCAT(firstname, ' ', lastname) AS name, email FROM Users ";

function send(response, value) {
    const text = JSON.stringify(value);
    response.writeHead(200, {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(text),
    });
    response.end(text);
}

function fail(response, status) {
    response.writeHead(status);
    response.end();
}

function serve() {
    const pool = mysql.createPool({
        socketPath: process.env.BENCH_SOCKET,
        user: 'mouse',
        password: 'cheese',
        database: process.env.BENCH_DATABASE,
        connectionLimit: Number(process.env.BENCH_WORKER_POOL),
    });
    const query = (response, sql, values, one) =>
        pool.execute(sql, values, (error, rows) => {
            if (error) return fail(response, 500);
            if (one && rows.length === 0) return fail(response, 404);
            return send(response, one ? rows[0] : rows);
        });

    http.createServer((request, response) => {
        const [, first, second] = request.url.split('/');
        switch (first) {
        case 'hello':
            return send(response, { message: 'Hello World' });
        case 'users':
            return second === undefined
                ? query(response, columns + 'ORDER BY userId LIMIT 100', [], false)
                : query(response, columns + 'WHERE userId = ?', [Number(second)], true);
        case 'sleep':
            return query(response, `SELECT SLEEP(${second === '200' ? 0.2 : 0.05}) AS slept`, [], true);
        case 'compute': {
            let sum = 0;
            for (let i = 0; i < Number(second); i++) sum += Math.sqrt(i);
            return send(response, { sum });
        }
        default:
            return fail(response, 404);
        }
    }).listen(Number(process.env.BENCH_PORT), '127.0.0.1');
}

if (cluster.isPrimary) {
    for (let i = 0; i < processes; i++) cluster.fork();
} else {
    serve();
}
