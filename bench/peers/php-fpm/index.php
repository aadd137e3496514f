<?php
// The benchmark's routes in plain PHP: a persistent PDO connection a worker, server-side
// prepared statements.
const COLUMNS = "SELECT userId, CONCAT(firstname, ' ', lastname) AS name, email FROM Users ";

function database(): PDO
{
    return new PDO(
        'mysql:unix_socket=' . getenv('BENCH_SOCKET') . ';charset=utf8mb4;dbname=' . getenv('BENCH_DATABASE'),
        'mouse',
        'cheese',
        [
            PDO::ATTR_PERSISTENT => true,
            PDO::ATTR_EMULATE_PREPARES => false,
            PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
            PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_ASSOC,
        ],
    );
}

function rows(string $sql, array $values = []): array
{
    $statement = database()->prepare($sql);
    $statement->execute($values);
    return $statement->fetchAll();
}

function sum_of_roots(int $steps): float
{
    $sum = 0.0;
    for ($i = 0; $i < $steps; $i++) {
        $sum += sqrt($i);
    }
    return $sum;
}

$path = explode('/', $_SERVER['REQUEST_URI']);
$id = $path[2] ?? null;
$answer = match ($path[1]) {
    'hello' => ['message' => 'Hello World'],
    'users' => $id === null
        ? rows(COLUMNS . 'ORDER BY userId LIMIT 100')
        : rows(COLUMNS . 'WHERE userId = ?', [$id])[0] ?? null,
    'sleep' => rows('SELECT SLEEP(' . ($id === '200' ? 0.2 : 0.05) . ') AS slept')[0],
    'compute' => ['sum' => sum_of_roots((int) $id)],
    default => null,
};
if ($answer === null) {
    http_response_code(404);
    exit;
}
header('Content-Type: application/json');
echo json_encode($answer);
