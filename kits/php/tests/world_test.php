<?php
/** Worlds: people, clock, callbacks, faults and journal. */
declare(strict_types=1);

use Switchboard\Testing\{ApiError, NotMet, World};

/** Accepts one callback, answers 200 and gives its signature and its body. */
function receive($server): array
{
    $connection = stream_socket_accept($server, 30);
    for ($head = ''; !str_ends_with($head, "\r\n\r\n"); $head .= fgets($connection));
    preg_match('/^content-length: *(\d+)/im', $head, $length);
    preg_match('/^x-signature: *(\w+)/im', $head, $signature);
    $body = stream_get_contents($connection, (int) $length[1]);
    fwrite($connection, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    fclose($connection);
    return [$signature[1], $body];
}

function test_the_options_of_a_world_apply(): void
{
    $world = new World(name: 'a_name', seed: 42, clock: 'frozen', ttl: 60);
    same(['a_name', 42, 'frozen'], [$world->name, $world->seed, $world->clock()['mode']]);
    same("{$world->channelId}_{$world->accountId}", $world->scopeId);
    same(['ada'], array_keys($world->tokens));
    $world->end();
}

function test_the_token_of_ada_opens_the_account_interface(): void
{
    $world = new World();
    $context = stream_context_create(['http' => ['header' => "Authorization: Bearer {$world->tokens['ada']}"]]);
    contains('"users"', file_get_contents("{$world->baseUrl}/api/v4/users", false, $context));
    $world->end();
}

function test_messages_of_a_conversation_are_in_order(): void
{
    $world = new World();
    $said = $world->customer('Bo.2_a-b')->says("Ist es da? 🌷\n\"\\");
    $answered = $world->user('ada')->replies('Ja.', to: 'Bo.2_a-b');
    same($said['conversation_id'], $answered['conversation_id']);
    $messages = $world->messages('Bo.2_a-b');
    same([$said['message_id'], $answered['message_id']], array_column($messages, 'id'));
    same(['in', 'out'], array_column($messages, 'direction'));
    same(["Ist es da? 🌷\n\"\\", 'Ja.'], array_column($messages, 'text'));
    $world->end();
}

function test_a_name_with_other_letters_is_refused_with_the_reason(): void
{
    $world = new World();
    foreach (['Bo Ü', 'a/b?c#d', '100%'] as $name) {
        $error = thrown(ApiError::class, fn () => $world->customer($name)->says('Hi'));
        same(400, $error->status);
        contains($name, $error->detail);
    }
    $world->end();
}

function test_the_clock_of_a_frozen_world_moves_by_what_is_asked(): void
{
    $world = new World(clock: 'frozen');
    $before = $world->clock()['now_ms'];
    $more = $world->advance(seconds: 30.5, minutes: 30, hours: 1)['now_ms'] - $before - 5_430_500;
    same(true, $more >= 0 && $more < 1000, 'That the clock moves by this, and by the moment that the call takes');
    same('skip', $world->setClock('skip')['mode']);
    $world->end();
}

function test_a_callback_reaches_the_webhook_signed(): void
{
    $server = stream_socket_server('tcp://127.0.0.1:0');
    $world = new World();
    $world->setWebhook('http://' . stream_socket_get_name($server, false) . '/hook');
    $world->customer('bo')->says('Is it in stock?');
    $world->user('ada')->replies('Yes.', to: 'bo');
    [$signature, $body] = receive($server);
    same(hash_hmac('sha1', $body, $world->channelSecret), $signature, 'The signature');
    same('Yes.', json_decode($body, true)['message']['message']['text']);
    $world->wait('callback.delivered');
    $world->setWebhook(null);
    $world->user('ada')->replies('Still.', to: 'bo');
    $world->wait('callback.delivered', match: 'Still.');
    same(false, @stream_socket_accept($server, 0), 'A callback at the earlier address');
    $world->end();
}

function test_a_wait_that_is_met_gives_its_entries(): void
{
    $world = new World();
    $world->customer('bo')->says('Hi');
    $first = $world->user('ada')->replies('One.', to: 'bo');
    $met = $world->wait('callback.delivered', message: $first['message_id']);
    same([$first['message_id']], array_column($met['entries'], 'message_id'));
    $second = $world->user('ada')->replies('Two.', to: 'bo');
    $later = $world->wait('callback.delivered', after: $met['cursor']);
    same([$second['message_id']], array_column($later['entries'], 'message_id'));
    $world->end();
}

function test_a_wait_that_is_not_met_says_why_and_what_was_near(): void
{
    $world = new World(clock: 'frozen');
    $world->customer('bo')->says('Hi');
    $world->fault('callbacks', 'status', times: 1, status: 500);
    $world->user('ada')->replies('Hello.', to: 'bo');
    $world->wait('callback.attempt');
    $error = thrown(NotMet::class, fn () => $world->wait('callback.delivered'));
    same(true, $error instanceof AssertionError, 'That it is a failed assertion');
    same(true, $error->why !== '' && $error->near !== [], 'That it has a reason and what was near');
    contains('500', implode("\n", $error->near));
    contains("The wait for callback.delivered (count 1) was not met: {$error->why}\n  {$error->near[0]}", $error->getMessage());
    $world->end();
}

function test_a_fault_applies_as_often_as_is_asked_and_where_it_matches(): void
{
    $world = new World();
    $world->customer('bo')->says('Hi');
    same(2, $world->fault('callbacks', 'status', times: 2, match: 'Wrong', status: 503)['left']);
    $world->user('ada')->replies('Right.', to: 'bo');
    $world->user('ada')->replies('Wrong.', to: 'bo');
    $world->wait('callback.delivered', count: 2);
    $outcomes = array_column(array_filter($world->journal(), fn ($entry) => $entry['kind'] === 'callback'), 'outcome');
    $statuses = array_map(fn ($outcome) => substr($outcome, 0, strlen('answered 200')), $outcomes);
    same(['answered 200', 'answered 503', 'answered 503', 'answered 200'], $statuses);
    same([], $world->faults(), 'The faults that are left');
    $world->fault('engine', 'disk_full');
    same(1, count($world->faults()), 'The number of faults');
    $world->endFaults();
    same([], $world->faults(), 'The faults after endFaults');
    $world->end();
}

function test_people_answer_and_read_by_themselves(): void
{
    $world = new World();
    $world->user('ada')->answers('One moment.', after: 2, times: 2);
    $world->customer('bo')->reads(after: 10);
    $before = $world->clock()['now_ms'];
    $world->customer('bo')->says('Hi');
    $world->wait('quiet');
    $world->wait('delivery>=read');
    $passed = $world->clock()['now_ms'] - $before;
    same(true, $passed >= 12_000 && $passed < 14_000, "That $passed ms are the time of the habits");
    same(['Hi', 'One moment.'], array_column($world->messages('bo'), 'text'));
    same([null, 1], array_column($world->habits(), 'left'));
    $world->customer('bo')->endHabits();
    same(['ada'], array_column($world->habits(), 'user'));
    $world->endHabits();
    same([], $world->habits(), 'The habits');
    contains('after: expected a number from 0', thrown(ApiError::class, fn () => $world->user('ada')->reads(after: -1))->detail);
    $world->end();
}

function test_tokens_are_issued_and_refused_in_the_time_of_the_world(): void
{
    $world = new World(redirectUri: 'https://bridge.example/cb');
    $client = $world->oauthClient;
    same('https://bridge.example/cb', $client['redirect_uri']);
    $ask = function (string $type, string $name, string $value) use ($world, $client): array {
        $body = ['client_id' => $client['id'], 'client_secret' => $client['secret'], 'redirect_uri' => $client['redirect_uri']];
        $context = stream_context_create(['http' => [
            'method' => 'POST', 'header' => 'Content-Type: application/json', 'ignore_errors' => true,
            'content' => json_encode($body + ['grant_type' => $type, $name => $value]),
        ]]);
        return json_decode(file_get_contents("{$world->baseUrl}/oauth2/access_token", false, $context), true);
    };
    $refresh = fn (array $tokens) => $ask('refresh_token', 'refresh_token', $tokens['refresh_token']);
    $exchange = fn (string $code) => $ask('authorization_code', 'code', $code);
    $tokens = $exchange($client['code']);
    $world->fault('oauth', 'refresh_race');
    contains('by another-process/1.0', $refresh($tokens)['hint']);
    $late = $world->user('ada')->consents();
    $world->advance(minutes: 20);
    contains('expired', $exchange($late)['hint']);
    $tokens = $exchange($world->user('ada')->consents());
    $world->fault('oauth', 'revoked');
    contains('uninstalled', $refresh($tokens)['hint']);
    $world->end();
}

function test_a_callback_arrives_in_pieces(): void
{
    $server = stream_socket_server('tcp://127.0.0.1:0');
    $world = new World();
    contains('set a webhook first', thrown(ApiError::class, fn () => $world->fault('callbacks', 'split'))->detail);
    $world->setWebhook('http://' . stream_socket_get_name($server, false) . '/hook');
    $world->customer('bo')->says('Hi');
    $world->fault('callbacks', 'split');
    $world->user('ada')->replies('In pieces.');
    [$signature, $body] = receive($server);
    same(hash_hmac('sha1', $body, $world->channelSecret), $signature, 'The signature');
    same(['split'], array_column($world->wait('callback.delivered')['entries'], 'fault'));
    $world->end();
}

function test_a_fault_strikes_the_same_ones_with_the_same_seed(): void
{
    $left = function (): int {
        $world = new World();
        $world->customer('bo')->says('Hi');
        same(0.5, $world->fault('callbacks', 'duplicate', times: 99, probability: 0.5, seed: 7)['probability']);
        for ($number = 0; $number < 20; $number++) {
            $world->user('ada')->replies("$number");
        }
        $world->wait('callback.delivered', count: 20);
        $left = $world->faults()[0]['left'];
        $world->end();
        return $left;
    };
    $first = $left();
    same(true, $first > 79 && $first < 99, "That $first are left");
    same($first, $left(), 'What is left with the same seed');
}

function test_the_journal_goes_on_after_a_cursor(): void
{
    $world = new World();
    $world->customer('bo')->says('Hi');
    $before = $world->journal();
    $last = end($before)['cursor'];
    $world->user('ada')->replies('Hello.', to: 'bo');
    $world->wait('callback.delivered');
    $cursors = array_column($world->journal($last), 'cursor');
    same(true, $cursors !== [] && min($cursors) > $last, 'That there are later entries only');
    contains('answered 200', $world->journalText());
    $world->end();
}

function test_a_restart_keeps_the_messages(): void
{
    $world = new World();
    $world->customer('bo')->says('Hi');
    same('skip', $world->restart()['mode']);
    same(['Hi'], array_column($world->messages('bo'), 'text'));
    $world->end();
}

function test_a_world_goes_back_to_a_snapshot(): void
{
    $world = new World();
    $world->customer('bo')->says('Before');
    $kept = $world->snapshot();
    $world->customer('bo')->says('After');
    $world->restore($kept);
    same(['Before'], array_column($world->messages('bo'), 'text'));
    $world->end();
}

function test_a_world_ends_once_and_then_refuses(): void
{
    $world = new World();
    $world->end();
    $world->end();
    $error = thrown(ApiError::class, fn () => $world->messages('bo'));
    same(410, $error->status);
    same(true, $error->detail !== '', 'That the error has a reason');
}
