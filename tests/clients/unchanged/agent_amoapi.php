<?php
// An agent of the third shape on ufee/amoapi-v4: a salesbot asks a program, and the library answers at the return address.
// The library needs no other package, so the folder of its sources is enough.
declare(strict_types=1);

use Ufee\AmoV4\ApiClient;

$given = json_decode(stream_get_contents(STDIN), true, 512, JSON_THROW_ON_ERROR);
spl_autoload_register(static function (string $class) use ($given): void {
    $name = str_replace(['Ufee\\AmoV4\\', '\\'], ['', '/'], $class);
    require "{$given['modules']}/src/$name.php";
});

/** Takes one request, answers it at once, and returns its document. */
function question($listener): array
{
    $connection = stream_socket_accept($listener, 60);
    $length = 0;
    while (($line = trim(fgets($connection))) !== '') {
        if (stripos($line, 'content-length:') === 0) {
            $length = (int) substr($line, 15);
        }
    }
    $body = stream_get_contents($connection, $length);
    fwrite($connection, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    fclose($connection);
    return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
}

$listener = stream_socket_server('tcp://127.0.0.1:0');
$port = parse_url('tcp://' . stream_socket_get_name($listener, false), PHP_URL_PORT);
$amo = ApiClient::setInstance([
    'domain' => $given['subdomain'], 'client_id' => $given['client'], 'client_secret' => '-',
    'redirect_uri' => 'https://program.example.org', 'zone' => 'ru',
]);
$amo->oauth->setLongToken($given['token']);

// A page of the counterpart makes the salesbot; here a request does.
$definition = $amo->query('POST', '/api/v4/bots');
$definition->setJsonData(['name' => 'Ask', 'kind' => 'ask_program', 'url' => "http://127.0.0.1:$port/ask"]);
$definition->execute();
$bots = [];
foreach ($amo->bots()->get() as $bot) {
    $bots[] = ['id' => $bot->id, 'name' => $bot->name];
}
$is_run = $amo->bots()->run($bots[0]['id'], $given['lead']);
$question = question($listener);
$show = ['handler' => 'show', 'params' => ['type' => 'text', 'value' => "You wrote: {$question['data']['message']}"]];
$is_continued = $amo->widgets()->continueFromUrl($question['return_url'], ['status' => 'success'], [$show]);
echo json_encode(['bots' => $bots, 'is_run' => $is_run, 'question' => $question, 'is_continued' => $is_continued], JSON_THROW_ON_ERROR);
