<?php
/** The transcript, which the tests of every kit replay. */
declare(strict_types=1);

use Switchboard\Testing\{ApiError, NotMet, Person, Receiver, World};

/** Who a step is about: a customer, a user, or null. */
function person(World $world, array $step): ?Person
{
    return isset($step['customer']) ? $world->customer($step['customer'])
        : (isset($step['user']) ? $world->user($step['user']) : null);
}

/** Does a step of the transcript with the functions of the kit, and checks its result. */
function do_step(World $world, array $step): void
{
    switch ($step['do']) {
        case 'say':
            $said = $world->customer($step['customer'])->says($step['text']);
            same(true, $said['message_id'] !== '' && $said['conversation_id'] !== '', 'That there are ids');
            break;
        case 'reply':
            $answered = $world->user($step['user'])->replies($step['text'], to: $step['customer'] ?? null);
            same(true, $answered['message_id'] !== '' && $answered['conversation_id'] !== '', 'That there are ids');
            break;
        case 'wait':
            $wait = fn () => $world->wait($step['until'], count: $step['count'] ?? 1, match: $step['match'] ?? null);
            if ($step['met'] ?? true) {
                $least = $step['until'] === 'quiet' ? 0 : $step['count'] ?? 1;
                same(true, count($wait()['entries']) >= $least, 'That there are enough entries');
            } else {
                same(true, thrown(NotMet::class, $wait)->why !== '', 'That there is a reason');
            }
            break;
        case 'messages':
            $messages = $world->messages($step['customer']);
            $seen = array_map(fn ($message) => ['direction' => $message['direction'], 'text' => $message['text']], $messages);
            same($step['gives'] ?? null, $seen, 'The messages');
            break;
        case 'fault':
            $more = ['times' => $step['times'] ?? 1, 'match' => $step['match'] ?? null] + ($step['with'] ?? []);
            $fault = $world->fault($step['on'], $step['fault'], ...$more);
            same($step['left'] ?? null, $fault['left'], 'What is left of the fault');
            break;
        case 'end_faults':
            $world->endFaults();
            same([], $world->faults(), 'The faults');
            break;
        case 'habit':
            $settings = array_intersect_key($step, array_flip(['text', 'seconds', 'after', 'times']));
            $habit = lcfirst(str_replace('_', '', ucwords($step['habit'], '_')));
            person($world, $step)->{$habit}(...$settings);
            break;
        case 'habits':
            $seen = array_map(fn ($habit) => [
                'name' => $habit['customer'] ?? $habit['user'], 'do' => $habit['do'],
                'after' => (int) $habit['after'], 'left' => $habit['left'],
            ], $world->habits());
            same($step['gives'], $seen, 'The habits');
            break;
        case 'end_habits':
            (person($world, $step) ?? $world)->endHabits();
            break;
        case 'consent':
            same(true, $world->user($step['user'])->consents() !== '', 'That there is a code');
            break;
        case 'clock':
            same($step['mode'], $world->setClock($step['mode'])['mode'], 'The mode of the clock');
            break;
        case 'advance':
            $before = $world->clock()['now_ms'];
            $more = $world->advance(seconds: $step['seconds'])['now_ms'] - $before - 1000 * $step['seconds'];
            same(true, $more >= 0 && $more < 1000, 'That the clock moves by this');
            break;
        case 'callbacks':
            $callbacks = array_filter($world->journal(), fn ($entry) => $entry['kind'] === 'callback');
            // After what the transcript gives, an outcome may name the fault.
            $outcomes = preg_replace('/ \(.*/', '', array_column($callbacks, 'outcome'));
            same($step['gives'], $outcomes, 'The callbacks');
            break;
        case 'subscribe':
            $world->subscribe($step['url'] ?? null, $step['settings'] ?? null);
            same($step['left'], count($world->hooks()), 'The number of webhooks');
            break;
        case 'hooks':
            $hooks = array_filter($world->journal(), fn ($entry) => $entry['kind'] === 'hook');
            $seen = array_map(fn ($hook) => [$hook['code'], $hook['attempt'], $hook['outcome']], array_values($hooks));
            same($step['gives'], $seen, 'The hooks');
            break;
        case 'wait_for_hook':
            $met = $world->waitForHook($step['code'], $step['count'], $step['state']);
            $texts = array_values(array_unique(array_column(array_column($met['entries'], 'item'), 'text')));
            same($step['texts'], $texts, 'The texts of the hooks');
            break;
        case 'end_hooks':
            $world->endHooks();
            same([], $world->hooks(), 'The webhooks');
            break;
        case 'receive_hooks':
            $receiver = new Receiver($world->channelSecret);
            $world->subscribe($receiver->url, $step['settings']);
            $world->customer($step['customer'])->says($step['text']);
            $world->waitForHook($step['text']);
            $hooks = $receiver->hooks();
            same($step['gives'], array_column($hooks, 'attempt'), 'The attempts');
            same(1, count(array_unique(array_column($hooks, 'request_id'))), 'The number of request ids');
            foreach ($hooks as $hook) {
                same($step['text'], $hook['form']['message']['add'][0]['text'], 'The text');
            }
            same([[], []], [$receiver->received(), $receiver->refused()], 'The other requests');
            $receiver->stop();
            $world->endHooks();
            break;
        case 'run_salesbot':
            $token = $world->tokens['ada'];
            $options = ['method' => 'POST', 'header' => "Authorization: Bearer $token\r\nContent-Type: application/json",
                'content' => json_encode(['entity_id' => $step['lead'], 'entity_type' => 'leads'])];
            $context = stream_context_create(['http' => $options]);
            same('', file_get_contents("$world->baseUrl/api/v4/bots/{$step['bot']}/run", false, $context), 'The body of the answer');
            contains(' 202 ', $http_response_header[0]);
            break;
        case 'questions':
            $questions = array_filter($world->journal(), fn ($entry) => $entry['kind'] === 'question');
            $seen = array_map(fn ($it) => [$it['bot'], $it['attempt'], $it['outcome']], array_values($questions));
            same($step['gives'], $seen, 'The questions');
            break;
        case 'restart':
            same(true, $world->restart()['now_ms'] > 0, 'That the answer is a clock');
            break;
        case 'delete':
            $world->end();
            break;
        default:
            throw new AssertionError("The transcript has a step that this test does not know: {$step['do']}");
    }
}

function test_the_transcript_gives_what_it_says(): void
{
    $transcript = json_decode(file_get_contents(__DIR__ . '/../../transcript.json'), true, 512, JSON_THROW_ON_ERROR);
    $world = new World(...$transcript['world']);
    foreach ($transcript['steps'] as $number => $step) {
        try {
            if (!isset($step['error'])) {
                do_step($world, $step);
                continue;
            }
            $error = thrown(ApiError::class, fn () => do_step($world, $step));
            same($step['error'], $error->status, 'The status');
            same(true, $error->title !== '', 'That the error has a title');
        } catch (Throwable $error) {
            throw new AssertionError('Step ' . $number + 1 . ', ' . json_encode($step) . ": {$error->getMessage()}", 0, $error);
        }
    }
}
