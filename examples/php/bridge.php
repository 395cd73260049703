<?php
/**
 * A bridge between Switchboard and a messenger of its own: a model of what an integration has to withstand.
 *
 * It answers a callback when it has stored it, and does the work afterwards. PHP has no threads, so all of it is one process with
 * fibers: see `bridge_loop.php`; `bridge_store.php` has the journal and the jobs, and `bridge_service.php` the calls.
 *
 * Environment: the variables of scenario files; `SWITCHBOARD_CHANNEL_SECRET_NEXT` while the operator rotates the secret. The
 * journal is in `SWITCHBOARD_EXAM_DIRECTORY`, else in `STATE_DIRECTORY`, else in the current directory. The account
 * is connected already: the environment has its scope id.
 *
 * On `PORT` of 127.0.0.1: `POST` to any path takes callbacks, `GET` of any path the browser with `code` and the uninstall hook.
 * `/exam/…` is the outside, the messenger of the exam, only with `SWITCHBOARD_EXAM_DIRECTORY`.
 */
declare(strict_types=1);

foreach (['loop', 'http', 'store', 'service', 'callback'] as $part) {
    require __DIR__ . "/bridge_$part.php";
}

/** The rules: what becomes of callbacks, of messages of customers, and of the installation. */
final class Bridge
{
    private const FAILURES_MAX = 5;
    private const DAY = 86_400;
    private const OTHER_ERROR = 905;
    private float $takes = 0;
    private Media $media;

    public function __construct(private Store $store, private Service $service, private bool $hasExam, string $code)
    {
        $this->media = new Media($service);
        $report = fn (array $job, int $tries) => $this->workOff($job, $tries, "/{$job['lane']}/delivery_status", fn () => []);
        new Lanes($store, ['deliver' => $this->deliver(...), 'report' => $report, 'post' => $this->post(...),
            'contact' => $this->updateContact(...), 'install' => $this->install(...)]);
        $outdated = array_keys(array_filter($store->all('callbacks'), fn ($time) => $time < time() - 30 * self::DAY));
        $store->commit(...array_map(fn ($identity) => ['callbacks', $identity, null], $outdated));
        if ($code !== '' && $code !== $store->get('facts', 'first_code')) {
            $store->commit(['facts', 'first_code', $code], Store::job('install', '', $code));
        }
    }

    /** Handles a request. Returns the status and the text of the answer. */
    public function handle(Request $request): array
    {
        if ($this->hasExam && str_starts_with($request->path, '/exam/')) {
            return $this->onExam($request);
        }
        return match ($request->method) {
            'POST' => [$this->onCallback($request), ''],
            'GET' => $this->onBrowser($request->query),
            default => [405, ''],
        };
    }

    // Callbacks: nothing here waits for anything but the disk.

    /** Returns the status of the answer. It is 200 when the callback is on the disk. */
    private function onCallback(Request $request): int
    {
        // The bytes as they came: another writer of JSON has other spaces and escapes.
        if (!$this->service->isSigned($request->body, $request->header('x-signature'))) {
            return 403;
        }
        if (!preg_match('~^application/json\s*(;|$)~i', $request->header('content-type'))) {
            return 415;
        }
        if (!$callback = Callback::parse($request->body)) {
            return 400;
        }
        if (!$this->service->isInstalled() || $callback->account() !== $this->service->accountId) {
            return 404;
        }
        $identity = $callback->identity($request);
        // This messenger shows no typing and no reactions. A callback that is there already has come again.
        if (($callback->isEdit || $callback->content) && !$this->store->get('callbacks', $identity)) {
            $job = Store::job('deliver', $callback->lane(), $callback->event, $callback->writtenAt());
            $this->store->commit(['callbacks', $identity, time()], $job); // One commit: no kill can come between.
        }
        return 200;
    }

    // The way to the customer.

    private function deliver(array $job, int $tries): ?float
    {
        $callback = new Callback($job['body']);
        $obstacle = null;
        try {
            $callback->isEdit ?: $this->media->check($callback->content, $tries);
            Loop::sleep($this->takes);
        } catch (Obstacle $reason) {
            $obstacle = $reason->getMessage();
        } catch (Lost $why) {
            note("a file is fetched again: {$why->getMessage()}");
            return Service::backoff($tries);
        } catch (Throwable $error) {
            $tries >= self::FAILURES_MAX ?: throw $error;
            $obstacle = "The bridge cannot work on this message: {$error->getMessage()}";
        }
        // A kill repeats all of it or nothing: the message is shown, its report is ordered, and the job is gone.
        $changes = $callback->isEdit ? $this->edit($callback) : $this->show($callback, $obstacle);
        $this->store->commit(['jobs', $job['id'], null], ...$changes);
        return null;
    }

    /** Returns the changes that show a message, if nothing is in the way, and order its report by the id of the service. */
    private function show(Callback $callback, ?string $obstacle): array
    {
        $id = $callback->id();
        $failure = ['delivery_status' => -1, 'error_code' => self::OTHER_ERROR, 'error' => $obstacle];
        $report = ['msgid' => $id] + ($obstacle === null ? ['delivery_status' => 1] : $failure);
        $body = json_encode($report, JSON_INVALID_UTF8_SUBSTITUTE);
        $changes = $id === '' ? [] : [Store::job('report', rawurlencode($id), $body)];
        if ($obstacle === null) {
            [$conversation, $chats] = $this->findChat($callback);
            $message = ['msgid' => $id, 'conversation' => $conversation, 'text' => $callback->shown()];
            array_push($changes, ['seen', null, $message], ...$chats);
        }
        return $changes;
    }

    private function edit(Callback $callback): array
    {
        $isSame = fn (array $message) => $message['msgid'] === $callback->id();
        $messages = array_filter($this->store->all('seen'), $isSame);
        $messages ?: note("an edit of the message {$callback->id()}, which has not been here, is left");
        $change = fn (int $key, array $message) => ['seen', $key, ['text' => $callback->shown()] + $message];
        return array_map($change, array_keys($messages), $messages);
    }

    /** Returns our id of the conversation, and the changes for a new one, which an account user has started. */
    private function findChat(Callback $callback): array
    {
        ['id' => $ref, 'client_id' => $ours] = $callback->person('conversation');
        ['id' => $customerRef, 'client_id' => $customer, 'name' => $name, 'phone' => $phone] = $callback->person('receiver');
        $same = $this->store->get('refs', $ref) ?? $ours;
        if ($this->store->get('chats', $same)) {
            return [first($ours, $same), []];
        }
        $conversation = first($ours, "chat-$ref");
        $customer = ['id' => first($customer, 'customer-' . first($customerRef, $ref))]
            + ['name' => first($name, $phone, 'Customer')] + ($phone === '' ? [] : ['profile' => ['phone' => $phone]])
            + ($ours === '' ? ['ref_id' => $customerRef] : []); // This binds our ids to those of the service.
        $chat = ['conversation' => $conversation, 'ref' => $ref, 'customer' => $customer, 'is_from_service' => $ours === ''];
        return [$conversation, [['chats', $conversation, $chat], ['refs', $ref, $conversation]]];
    }

    // The way to the service.

    /** Stores a message of a customer, its id and its exact body, before the first attempt to post it. */
    private function say(string $name, string $text): array
    {
        $names = fn (array $chat) => [$chat['conversation'], $chat['customer']['id'], $chat['customer']['name'],
            $chat['customer']['profile']['phone'] ?? null];
        $chats = array_filter($this->store->all('chats'), fn ($chat) => in_array($name, $names($chat), true));
        $chat = reset($chats) ?: ['conversation' => "chat-$name", 'ref' => '', 'customer' => ['id' => $name, 'name' => $name],
            'is_from_service' => false];
        $now = $this->service->now();
        $refs = $chat['is_from_service'] ? ['conversation_ref_id' => $chat['ref']] : [];
        $payload = ['timestamp' => (int) $now, 'msec_timestamp' => (int) ($now * 1000), 'msgid' => bin2hex(random_bytes(16)),
            'sender' => $chat['customer'], 'conversation_id' => $chat['conversation'], ...$refs,
            'message' => ['type' => 'text', 'text' => $text]];
        $body = json_encode(['event_type' => 'new_message', 'payload' => $payload]);
        $this->store->commit(['chats', $chat['conversation'], $chat], Store::job('post', $chat['conversation'], $body));
        return [201, '{}'];
    }

    private function post(array $job, int $tries): ?float
    {
        return $this->workOff($job, $tries, '', function (Answer $answer) use ($job): array {
            $ref = Callback::text(Callback::part($answer->json(), 'new_message'), 'conversation_id');
            $chat = $this->store->get('chats', $job['lane']);
            return $ref === '' || !$chat || isset($chat['has_contact']) ? [] : [
                ['chats', $job['lane'], ['ref' => $ref, 'has_contact' => true] + $chat],
                ['refs', $ref, $job['lane']],
                Store::job('contact', $job['lane'], null),
            ];
        });
    }

    /** Posts the body of the job. Gives nothing when that is done or refused, else the seconds until the next attempt. */
    private function workOff(array $job, int $tries, string $path, Closure $onSuccess): ?float
    {
        if (!$this->service->isInstalled()) {
            return 1;
        }
        try {
            $answer = $this->service->post("/v2/origin/custom/{$this->service->scopeId}$path", $job['body']);
            $verdict = $answer->verdict();
        } catch (Lost $why) { // The repeat has the same bytes, so the service stores the message once.
            [$answer, $verdict] = [$why->getMessage(), Verdict::Again];
        }
        if ($verdict === Verdict::Again && time() < $job['at'] + self::DAY) {
            note("{$job['kind']} {$job['id']} is repeated: $answer");
            return Service::backoff($tries);
        }
        if ($verdict !== Verdict::Done) {
            note("{$job['kind']} {$job['id']} of «{$job['lane']}» is left: $answer");
        }
        $this->store->commit(['jobs', $job['id'], null], ...($verdict === Verdict::Done ? $onSuccess($answer) : []));
        return null;
    }

    // The account side: the contact of a new customer gets the name and the telephone that the messenger knows.

    private function updateContact(array $job, int $tries): ?float
    {
        $chat = $this->store->get('chats', $job['lane']);
        try {
            $answer = $this->callContact($chat['ref'], $chat['customer']);
            $answer->verdict() !== Verdict::Again ?: throw new Lost((string) $answer);
        } catch (AccountStopped) {
            return 1;
        } catch (Lost $why) {
            note("the contact of «{$job['lane']}» is updated later: {$why->getMessage()}");
            return Service::backoff($tries);
        }
        $answer->verdict() === Verdict::Done ?: note("the contact of «{$job['lane']}» is left: $answer");
        $this->store->commit(['jobs', $job['id'], null]);
        return null;
    }

    private function callContact(string $ref, array $customer): Answer
    {
        $answer = $this->service->callAccount('GET', '/api/v4/contacts/chats?chat_id=' . rawurlencode($ref));
        $contact = $answer->json()['_embedded']['chats'][0]['contact_id'] ?? null;
        if ($answer->status !== 200 || !is_int($contact)) {
            return $answer;
        }
        $phone = $customer['profile']['phone'] ?? '';
        $fields = $phone ? ['custom_fields_values' => [['field_code' => 'PHONE', 'values' => [['value' => $phone]]]]] : [];
        return $this->service->callAccount('PATCH', "/api/v4/contacts/$contact", ['name' => $customer['name']] + $fields);
    }

    // Installing and uninstalling.

    /** Returns the status and the text of the answer to a GET: the uninstall hook, or the browser with a code. */
    private function onBrowser(array $query): array
    {
        if (isset($query['signature']) || !isset($query['code'])) {
            return [isset($query['signature']) ? $this->onUninstall($query) : 404, ''];
        }
        $this->store->commit(Store::job('install', '', $query['code']));
        return [200, '"The bridge connects the account."'];
    }

    private function onUninstall(array $query): int
    {
        if (!$this->service->isUninstallSigned($query)) {
            return 403;
        }
        if (in_array($this->service->accountNumber(), [null, $query['account_id'] ?? ''], true)) {
            $this->store->commit(['facts', 'is_uninstalled', true], ['facts', 'tokens', null], ['facts', 'exchanged_code', null]);
            note('the account has uninstalled the bridge: nothing is sent until it is installed again');
        }
        return 200;
    }

    /** Exchanges the code, once, and connects the account again if it had uninstalled the bridge. */
    private function install(array $job, int $tries): ?float
    {
        $code = $job['body'];
        try {
            $isExchanged = $this->store->get('facts', 'exchanged_code') === $code || $this->service->exchange($code);
            if ($isExchanged && !$this->service->isInstalled() && $this->service->connect()->verdict() !== Verdict::Done) {
                throw new Lost('the account is not connected');
            }
        } catch (Lost $why) {
            note("the account is installed later: {$why->getMessage()}");
            return Service::backoff($tries);
        }
        $this->store->commit(['jobs', $job['id'], null], ...($isExchanged ? [['facts', 'is_uninstalled', null]] : []));
        Loop::sleep(1); // Strangers with codes must not use up the requests.
        return null;
    }

    // The outside: a messenger that only the exam sees.

    private function onExam(Request $request): array
    {
        $value = json_decode($request->body, true) ?? [];
        return match ("$request->method $request->path") {
            'GET /exam/seen' => [200, json_encode(array_values($this->store->all('seen')))],
            'POST /exam/say' => $this->say($value['from'], $value['text']),
            'POST /exam/outside' => [200, json_encode($this->takes = (float) $value['takes'])],
            default => [404, '{}'],
        };
    }
}

umask(0077); // The journal has tokens.
$setting = fn (string $name): string => getenv($name) ?: '';
$directory = $setting('SWITCHBOARD_EXAM_DIRECTORY') ?: $setting('STATE_DIRECTORY') ?: '.';
$store = new Store("$directory/bridge.journal");
$hasExam = $setting('SWITCHBOARD_EXAM_DIRECTORY') !== '';
$bridge = new Bridge($store, new Service($store, getenv()), $hasExam, $setting('SWITCHBOARD_CODE'));
(new Server($bridge->handle(...)))->listen('127.0.0.1:' . ($setting('PORT') ?: '9001'));
Loop::run();
