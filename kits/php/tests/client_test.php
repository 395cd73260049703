<?php
/** Requests: what a refusal and a missing answer look like. */
declare(strict_types=1);

use Switchboard\Testing\{ApiError, Client, NoAnswer, World};

/** A client of a server that gives these bytes, and the process of the server. */
function client_of(string $bytes): array
{
    [$url, $server] = start_server($bytes);
    return [new Client($url, 'token', '/no/such/log'), $server];
}

function test_a_refusal_has_the_members_of_its_problem_document(): void
{
    $problem = '{"title":"Wrong value","detail":"There is no such fault.","errors":[{"path":"do","detail":"unknown"}]}';
    [$client, $server] = client_of("HTTP/1.1 400 Bad Request\r\nContent-Length: " . strlen($problem) . "\r\n\r\n$problem");
    $error = thrown(ApiError::class, fn () => $client->json('POST', '/worlds/w1/faults', []));
    same([400, 'Wrong value', 'There is no such fault.'], [$error->status, $error->title, $error->detail]);
    same([['path' => 'do', 'detail' => 'unknown']], $error->errors);
    same("Wrong value: There is no such fault. (400, POST /worlds/w1/faults)\n  do: unknown", $error->getMessage());
    proc_terminate($server);
}

function test_a_refusal_without_a_problem_document_shows_its_beginning(): void
{
    [$client, $server] = client_of("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 13\r\n\r\n<h1>Oops</h1>");
    $error = thrown(ApiError::class, fn () => $client->json('GET', '/worlds'));
    same([502, 'HTTP 502', '<h1>Oops</h1>', []], [$error->status, $error->title, $error->detail, $error->errors]);
    proc_terminate($server);
}

function test_an_answer_in_chunks_is_read_as_a_whole(): void
{
    $chunks = "4\r\n{\"wo\r\n9\r\nrlds\":[]}\r\n0\r\n\r\n";
    [$client, $server] = client_of("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n$chunks");
    same(['worlds' => []], $client->json('GET', '/worlds'));
    proc_terminate($server);
}

function test_an_answer_that_is_not_complete_is_an_error(): void
{
    [$client, $server] = client_of("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{\"worlds\"");
    contains('it is not complete', thrown(NoAnswer::class, fn () => $client->json('GET', '/worlds'))->getMessage());
    proc_terminate($server);
}

function test_an_answer_that_is_not_json_is_an_error(): void
{
    [$client, $server] = client_of("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHello");
    contains('GET /worlds: not JSON: Hello', thrown(NoAnswer::class, fn () => $client->json('GET', '/worlds'))->getMessage());
    proc_terminate($server);
}

function test_a_request_without_an_answer_is_sent_once(): void
{
    $server = stream_socket_server('tcp://127.0.0.1:0');
    $client = new Client('http://' . stream_socket_get_name($server, false), 'token', '/no/such/log');
    $error = thrown(NoAnswer::class, fn () => $client->json('POST', '/worlds', [], [], 0.2));
    contains('POST /worlds got no answer (limit: 0.2 s)', $error->getMessage());
    stream_socket_accept($server, 0);
    same(false, @stream_socket_accept($server, 0), 'A second connection');
}

function test_a_refused_connection_is_an_error_with_the_end_of_the_log(): void
{
    $server = stream_socket_server('tcp://127.0.0.1:0');
    $address = stream_socket_get_name($server, false);
    fclose($server);
    $folder = folder();
    file_put_contents("$folder/log", "it starts\nit stops\n");
    $error = thrown(NoAnswer::class, fn () => (new Client("http://$address", 'token', "$folder/log"))->json('GET', '/worlds'));
    contains('Connection refused', $error->getMessage());
    contains("The end of the program's log:\n  it starts\n  it stops", $error->getMessage());
}

function test_a_wrong_option_of_a_world_is_refused_with_what_exists(): void
{
    $error = thrown(ApiError::class, fn () => new World(clock: 'fast'));
    same(400, $error->status);
    contains('frozen', $error->getMessage());
}
