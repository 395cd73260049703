<?php
/** The tested program, the receiver, and ids of one's own. */
declare(strict_types=1);

use Switchboard\Testing\ProgramError;
use Switchboard\Testing\Receiver;
use Switchboard\Testing\World;

/** A program that answers 200 to everything, says what it got, and has started another one. */
const PROGRAM = '
    $child = proc_open([PHP_BINARY, "-r", "sleep(600);"], [], $pipes);
    echo proc_get_status($child)["pid"], " ", getenv("SWITCHBOARD_SCOPE_ID"), " ", getenv("OWN"), "\n";
    $server = stream_socket_server("tcp://127.0.0.1:" . getenv("PORT"));
    while ($connection = stream_socket_accept($server, 60)) {
        $head = fread($connection, 65536);
        if ($head !== "") {
            echo strtok($head, "\r"), "\n";
            fwrite($connection, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        }
        fclose($connection);
    }';

function runs(int $pid): bool
{
    $stat = @file_get_contents("/proc/$pid/stat");
    return $stat !== false && !preg_match('/\) [ZX] /', $stat);
}

function test_program_ends_with_its_world(): void
{
    $world = new World();
    $program = $world->program([PHP_BINARY, '-r', PROGRAM], path: '/hook', env: ['OWN' => 'yes']);
    $world->customer('bo')->says('Is it in stock?');
    $world->user('ada')->replies('Yes.', to: 'bo');
    $world->wait('callback.delivered');
    [$child, $scope, $own] = explode(' ', strtok($program->output(), "\n"));
    same([$world->scopeId, 'yes'], [$scope, $own]);
    contains('POST /hook HTTP/1.1', $program->output());
    contains('POST /hook HTTP/1.1', $world->programOutput());
    same([true, true], [runs($program->pid), runs((int) $child)]);
    $world->end();
    gone((int) $child);
    same(false, runs($program->pid));
    contains('POST /hook HTTP/1.1', $program->output());
}

function test_program_ends_with_a_test_run_that_is_killed(): void
{
    [$process, $output, $input] = start_php('
        $world = new World();
        $program = $world->program([PHP_BINARY, "-r", ' . var_export(PROGRAM, true) . ']);
        echo $program->pid, " ", strtok($program->output(), " "), "\n";
        fgets(STDIN);');
    [$pid, $child] = array_map('intval', explode(' ', (string) fgets($output)));
    same([true, true], [runs($pid), runs($child)]);
    proc_terminate($process, 9);
    for ($deadline = hrtime(true) + PATIENCE_NS; runs($pid) || runs($child); usleep(5_000)) {
        hrtime(true) < $deadline || throw new AssertionError('The program outlives its test run');
    }
    fclose($input);
    proc_close($process);
}

function test_program_that_does_not_start_is_told_with_its_output(): void
{
    $world = new World();
    foreach ([
        [[PHP_BINARY, '-r', 'echo "no database"; exit(3);'], ['the code 3', 'no database']],
        [['/no/such/program'], ['the code 127', 'not found']],
    ] as [$command, $words]) {
        $error = thrown(ProgramError::class, fn () => $world->program($command));
        array_map(fn ($word) => contains($word, $error->getMessage()), $words);
    }
    $late = thrown(ProgramError::class, fn () => $world->program([PHP_BINARY, '-r', 'sleep(600);'], seconds: 0.3));
    contains('accepted no connection within 0.3 s', $late->getMessage());
    $world->end();
}

function test_receiver_records_callbacks_and_refuses_wrong_signatures(): void
{
    $world = new World();
    $receiver = $world->receiver();
    $world->customer('bo')->says('Is it in stock?');
    $world->user('ada')->replies('Yes.', to: 'bo');
    $world->wait('callback.delivered');
    same(['Yes.'], $receiver->texts());
    $received = $receiver->received()[0];
    same('/callbacks', $received['path']);
    same(hash_hmac('sha1', $received['body'], $world->channelSecret), strtolower($received['headers']['x-signature']));
    $body = json_decode($received['body'], true);
    same('bo', $body['message']['receiver']['name'] ?? null, 'The name of the customer');
    $world->fault('callbacks', 'bad_signature');
    $world->user('ada')->replies('Now.', to: 'bo');
    $world->wait('callback.delivered', count: 2);
    same(1, count($receiver->refused()));
    same(['Yes.', 'Now.'], $receiver->texts());
    $world->end();
    same(false, @file_get_contents($receiver->url));
}

function test_receiver_records_hooks_apart_and_answers_them(): void
{
    $world = new World();
    $receiver = new Receiver($world->channelSecret, 404);
    $world->subscribe($receiver->url . '?k=1', ['add_message']);
    $world->customer('bo')->says('Is it in stock? ü & [0]=1');
    $met = $world->waitForHook('add_message', 2, 'attempt');
    same(['answered 404', 'answered 404'], array_column($met['entries'], 'outcome'));
    $hooks = $receiver->hooks();
    same([1, 2], array_column($hooks, 'attempt'));
    same([$met['entries'][0]['request_id']], array_unique(array_column($hooks, 'request_id')));
    same('Is it in stock? ü & [0]=1', $hooks[0]['form']['message']['add'][0]['text']);
    same(['/callbacks?k=1', $met['entries'][0]['form']], [$hooks[0]['path'], $hooks[0]['body']]);
    // Not quite a hook.
    [$form, $agent] = ['Content-Type: application/x-www-form-urlencoded', 'User-Agent: amoCRM-Webhooks/3.0'];
    foreach ([[$form, 'User-Agent: curl/8'], ['Content-Type: application/json', $agent], [$form, $agent, 'X-Signature: 00']] as $headers) {
        $context = stream_context_create(['http' => ['method' => 'POST', 'header' => $headers, 'content' => 'a=1', 'ignore_errors' => true]]);
        file_get_contents($receiver->url, false, $context);
        contains(' 403 ', $http_response_header[0]);
    }
    same([2, 3, []], [count($receiver->hooks()), count($receiver->refused()), $receiver->received()]);
    $receiver->stop();
    $world->end();
}

function test_world_has_ids_of_ones_own(): void
{
    $stages = [['id' => 60, 'name' => 'First call']];
    $world = new World(
        subdomain: 'php-' . getmypid(), channelId: 'built-in', phoneFieldId: 264911, emailFieldId: 264913,
        pipelines: [['id' => 3177727, 'name' => 'Sales', 'unsorted_id' => 50, 'stages' => $stages]],
        users: [['name' => 'ada', 'id' => 8238142]],
        leadFields: [['id' => 1038499, 'name' => 'Answer', 'type' => 'textarea', 'code' => 'ANSWER']],
        contactFields: [['id' => 1038500, 'name' => 'City', 'type' => 'text']],
        salesbots: [['id' => 70001, 'name' => 'Answer', 'kind' => 'send_field', 'field_id' => 1038499]],
    );
    same(['php-' . getmypid(), 'built-in'], [$world->subdomain, $world->channelId]);
    $world->customer('bo')->says('Hi');
    $world->wait('lead.stage', stage: 50);
    $world->end();
}
