<?php
// PDO: php client.php PORT USER all|only QUESTION..., the password in PGPASSWORD; prints JSON.
[, $port, $user, $what] = $argv;
$questions = array_slice($argv, 4);
$source = "pgsql:host=127.0.0.1;port=$port;dbname=shop;options='-c dp_replay=off'";
$db = new PDO($source, $user, getenv('PGPASSWORD'), [PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_ASSOC]);

function answer(PDO $db, string $sql): array
{
    try {
        return ['rows' => $db->query($sql)->fetchAll(PDO::FETCH_NUM)];
    } catch (PDOException $error) {
        return ['sqlstate' => $error->errorInfo[0], 'text' => $error->errorInfo[2]];
    }
}

$said = ['answers' => array_map(fn ($sql) => answer($db, $sql), $questions)];
if ($what === 'all') {
    $counted = $db->prepare('SELECT count(*) AS n FROM visits WHERE page = :page AND age < :age');
    foreach ([1, 2] as $_) {
        $counted->execute(['page' => 'home', 'age' => 48]);
        $said['counted'][] = $counted->fetchColumn();
    }
    $title = $db->prepare('SELECT title FROM pages WHERE page = ?');
    $title->execute(['shop']);
    $said['title'] = $title->fetchColumn();
    $kinds = $db->query('SELECT id, big, price, flag, day, list, names, text FROM kinds ORDER BY id LIMIT 1');
    $said['kinds'] = $kinds->fetch();
    $said['meta'] = array_map(fn ($n) => $kinds->getColumnMeta($n)['native_type'], range(0, 7));
    $columns = $db->prepare('SELECT column_name, data_type FROM information_schema.columns '
        . 'WHERE table_schema = ? AND table_name = ? ORDER BY ordinal_position');
    $columns->execute(['public', 'visits']);
    $said['schema'] = $columns->fetchAll(PDO::FETCH_NUM);
    $db->beginTransaction();
    $said['inside'] = $db->query('SELECT count(*) FROM pages')->fetchColumn();
    $db->commit();
    $db->setAttribute(PDO::ATTR_EMULATE_PREPARES, true);
    $emulated = $db->prepare('SELECT title FROM pages WHERE page = ?');
    $emulated->execute(['home']);
    $said['emulated'] = $emulated->fetchColumn();
    $said['version'] = $db->getAttribute(PDO::ATTR_SERVER_VERSION);
}
echo json_encode($said), "\n";
