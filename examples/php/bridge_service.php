<?php
/**
 * The calls of the bridge to the service: signed ones of the chat interface, and those of the account side with OAuth tokens.
 * Everything that leaves goes through `send`: at most seven requests in a second, and none while the service wants a pause.
 */
declare(strict_types=1);

/** The exception for an account side without valid tokens. A person has to consent again. */
final class AccountStopped extends RuntimeException {}

/** The way to the service. */
final class Service
{
    private const RATE = 7;
    private const BACKOFF_MAX = 5;
    private const RETRY_AFTER_MAX = 3600;
    private const CLOCK_TOLERANCE = 60;
    private const TOKEN_MIN_SECONDS = 30;
    private const DAY = 86_400;
    public readonly string $accountId, $scopeId, $clientId;
    private string $url, $clientSecret;
    /** The secrets of the channel. The first one signs. */
    private array $secrets;
    /** The times from which the free slots may be taken, earliest first. */
    private array $freeAt;
    private float $closedUntil = 0;
    private int $blocks = 0;
    private float $offset = 0;
    /** The seconds between the clock in the answers and the one that judges signatures. */
    private float $correction = 0;
    private float $refreshedAt = -INF;
    private int $refusals = 0;
    private Permits $slots, $gate, $refresh;

    public function __construct(private Store $store, private array $environment)
    {
        $this->url = rtrim($environment['SWITCHBOARD_URL'], '/');
        $this->accountId = $environment['SWITCHBOARD_ACCOUNT_ID'];
        $this->scopeId = $environment['SWITCHBOARD_SCOPE_ID'];
        $this->clientId = $environment['SWITCHBOARD_CLIENT_ID'] ?? '';
        $this->clientSecret = $environment['SWITCHBOARD_CLIENT_SECRET'] ?? '';
        $this->secrets = $this->readSecrets();
        $this->freeAt = array_fill(0, self::RATE, -INF);
        [$this->slots, $this->gate, $this->refresh] = [new Permits(self::RATE), new Permits(1), new Permits(1)];
    }

    /** Returns the secrets: two are valid during a rotation, so one that was changed is kept for a day. */
    private function readSecrets(): array
    {
        $names = ['SWITCHBOARD_CHANNEL_SECRET', 'SWITCHBOARD_CHANNEL_SECRET_NEXT'];
        $secrets = array_values(array_filter(array_map(fn ($name) => $this->environment[$name] ?? '', $names)));
        $memory = $this->store->get('facts', 'secrets') ?? ['secrets' => [], 'before' => [], 'at' => 0];
        if ($memory['secrets'] !== $secrets) {
            $memory = ['secrets' => $secrets, 'before' => $memory['secrets'], 'at' => time()];
            $this->store->commit(['facts', 'secrets', $memory]);
        }
        $before = time() < $memory['at'] + self::DAY ? $memory['before'] : [];
        return array_values(array_unique([...$secrets, ...$before]));
    }

    public static function backoff(int $tries): float
    {
        return min(self::BACKOFF_MAX, 0.2 * 2 ** $tries);
    }

    public function isInstalled(): bool
    {
        return $this->store->get('facts', 'is_uninstalled') === null;
    }

    // Every request.

    /** Returns the whole answer, whatever its status. `$headers` is called when the request leaves. */
    private function send(string $method, string $path, string $body, Closure $headers): Answer
    {
        return $this->takeSlot(function () use ($method, $path, $body, $headers): Answer {
            $answer = Answer::fetch($method, $this->url . $path, $headers(), $body);
            $this->watchClock($answer);
            $this->watchGate($answer);
            return $answer;
        });
    }

    private function takeSlot(Closure $work): mixed
    {
        return $this->slots->run(function () use ($work): mixed {
            $freeAt = array_shift($this->freeAt);
            try {
                // After a pause, one request tries whether it is over, and the others wait for its answer.
                return $this->gate->run(fn () => $this->wait($freeAt) && $this->blocks ? $work() : null) ?? $work();
            } finally {
                // A second after the end: no second at the service has more than RATE requests, however slow the way is.
                $this->freeAt[] = uptime() + 1;
            }
        });
    }

    private function wait(float $until): bool
    {
        while (($pause = max($until, $this->closedUntil) - uptime()) > 0) { // A pause may become longer.
            Loop::sleep($pause);
        }
        return true;
    }

    /** Fetches a file of a message. One of the service is a request to it, too, but not for as long as it takes. */
    public function fetchFile(string $url, int $max): Answer
    {
        str_starts_with($url, "$this->url/") && $this->takeSlot(fn () => null);
        return Answer::fetch('GET', $url, max: $max, seconds: 10);
    }

    private function watchGate(Answer $answer): void
    {
        $retryAfter = in_array($answer->status, [429, 503]) ? $this->retryAfter($answer) : 0;
        if ($answer->status === 402 || $answer->status === 403 && !$answer->isJson) {
            // The account or this address may send nothing at all: it is no mistake of this one request.
            $this->closeGate(min(300, 3 * 2 ** $this->blocks), $answer);
        } elseif ($retryAfter > 0) {
            $this->closeGate($retryAfter, $answer);
        } else {
            $this->blocks = 0;
        }
    }

    private function closeGate(float $seconds, Answer $answer): void
    {
        if (uptime() >= $this->closedUntil) { // The requests under way at that moment do not make the pause longer.
            $this->blocks++;
            note(sprintf('no requests for %.0f s: the service answers %s', $seconds, $answer));
        }
        $this->closedUntil = max($this->closedUntil, uptime() + $seconds);
    }

    /** Returns the seconds that the service wants to be left alone; 0 if it does not say. */
    private function retryAfter(Answer $answer): float
    {
        $value = $answer->header('retry-after');
        $seconds = ctype_digit($value) ? (float) $value : ($answer->time('retry-after') ?? 0) - $this->now();
        return max(0, min(self::RETRY_AFTER_MAX, $seconds));
    }

    // The clock.

    /** Returns the time by the clock of the service. */
    public function now(): float
    {
        return microtime(true) + $this->offset + $this->correction;
    }

    /** Goes by the clock of the service if that of this machine is wrong, and says so. */
    private function watchClock(Answer $answer): void
    {
        $moment = $answer->time('date');
        $offset = $moment === null ? $this->offset : self::difference($moment, microtime(true));
        if (self::difference($offset, $this->offset)) {
            note(sprintf('the clock of the service is %+d s from that of this machine: set it', $offset));
        }
        $this->offset = $offset;
    }

    private static function difference(float $one, float $other): float
    {
        return abs($one - $other) > self::CLOCK_TOLERANCE ? $one - $other : 0;
    }

    // The chat interface.

    /** Returns whether a callback has the signature of one of the secrets. */
    public function isSigned(string $body, string $signature): bool
    {
        $matches = array_map(fn ($secret) => hash_equals(hash_hmac('sha1', $body, $secret), $signature), $this->secrets);
        return in_array(true, $matches, true);
    }

    /** Returns the answer to a post with a signature of the current form. Parts of `$path` that come from outside are encoded. */
    public function post(string $path, string $body): Answer
    {
        $secret = $this->secrets[0];
        $time = 0.0;
        $answer = $this->send('POST', $path, $body, function () use ($path, $body, $secret, &$time): array {
            $time = $this->now();
            $headers = ['Content-MD5' => md5($body), 'Content-Type' => 'application/json',
                'Date' => gmdate('D, d M Y H:i:s \G\M\T', (int) $time)];
            $text = implode("\n", ['POST', ...array_values($headers), $path]);
            return $headers + ['X-Signature' => hash_hmac('sha1', $text, $secret)];
        });
        if ($answer->status === 403 && $answer->isJson) {
            note("the service refuses the signature: $answer");
            $hint = $answer->json()['hint'] ?? null;
            if (is_string($hint) && preg_match('/Date is (\d+) minutes (ahead|behind)/', $hint, $match)) {
                $judge = $time - 60 * (int) $match[1] * ($match[2] === 'ahead' ? 1 : -1);
                $this->correction = self::difference($judge, microtime(true) + $this->offset);
            } elseif ($this->secrets[0] === $secret) { // If there is another one, the rotation is over.
                $this->secrets[] = array_shift($this->secrets);
            }
        }
        return $answer;
    }

    public function connect(): Answer
    {
        $value = ['account_id' => $this->accountId, 'title' => 'Bridge', 'hook_api_version' => 'v2'];
        return $this->post("/v2/origin/custom/{$this->environment['SWITCHBOARD_CHANNEL_ID']}/connect", json_encode($value));
    }

    // The account side.

    /** Returns the answer. After a 401 it refreshes the tokens, and repeats the call once. */
    public function callAccount(string $method, string $path, ?array $value = null): Answer
    {
        $access = $this->accessToken();
        $body = $value === null ? '' : json_encode($value);
        $call = fn (string $token): Answer => $this->send($method, $path, $body, fn () => [
            'Authorization' => "Bearer $token", 'Content-Type' => 'application/json']);
        $answer = $call($access);
        return $answer->status === 401 ? $call($this->renew($access)) : $answer;
    }

    private function accessToken(): string
    {
        $isStopped = ($this->store->get('facts', 'stopped_until') ?? 0) > time();
        $access = $this->store->get('facts', 'tokens')['access_token'] ?? '';
        return $isStopped || $access === '' ? throw new AccountStopped() : $access;
    }

    /** Returns a token that is newer than `$access`: one refresh for all calls that got 401 with the same token. */
    private function renew(string $access): string
    {
        return $this->refresh->run(function () use ($access): string {
            if ($this->accessToken() === $access) {
                if (uptime() < $this->refreshedAt + self::TOKEN_MIN_SECONDS) {
                    throw new Lost('a new token is refused, and another refresh would not help');
                }
                $answer = $this->grant(['grant_type' => 'refresh_token',
                    'refresh_token' => $this->store->get('facts', 'tokens')['refresh_token']]);
                $answer->verdict() === Verdict::Done ? $this->keepTokens($answer) : $this->stop($answer);
                $this->refreshedAt = uptime();
            }
            return $this->accessToken();
        });
    }

    /** Exchanges the code of a consent for tokens. Returns whether the service has taken it. */
    public function exchange(string $code): bool
    {
        $answer = $this->grant(['grant_type' => 'authorization_code', 'code' => $code,
            'redirect_uri' => $this->environment['SWITCHBOARD_REDIRECT_URI'] ?? '']);
        if ($answer->verdict() === Verdict::Done) {
            $this->keepTokens($answer, ['facts', 'exchanged_code', $code]);
            return true;
        }
        note("the account side has no tokens: the service refuses the code. $answer");
        return false;
    }

    /** Returns new tokens or a refusal. Anything that may pass by itself is `Lost`. */
    private function grant(array $grant): Answer
    {
        $body = json_encode(['client_id' => $this->clientId, 'client_secret' => $this->clientSecret] + $grant);
        $answer = $this->send('POST', '/oauth2/access_token', $body, fn () => ['Content-Type' => 'application/json']);
        $value = $answer->json();
        $isGrant = $answer->status < 300 && isset($value['access_token'], $value['refresh_token']);
        if (!$isGrant && $answer->verdict() !== Verdict::Refused && ($value['error'] ?? '') !== 'invalid_client') {
            throw new Lost((string) $answer);
        }
        return $answer;
    }

    /** Stores the tokens before they are used: the old refresh token is spent, and a kill must not lose the new one. */
    private function keepTokens(Answer $answer, array ...$changes): void
    {
        $tokens = array_intersect_key($answer->json(), ['access_token' => 0, 'refresh_token' => 0]);
        $this->store->commit(['facts', 'tokens', $tokens], ['facts', 'stopped_until', null], ...$changes);
        $this->refusals = 0;
    }

    private function stop(Answer $answer): never
    {
        $this->store->commit(['facts', 'stopped_until', time() + min(3600, 65 * 2 ** $this->refusals++)]);
        note("the account side stops: its tokens are refused, and an administrator has to consent again. $answer");
        throw new AccountStopped();
    }

    /** Returns whether the uninstall hook is from the service. */
    public function isUninstallSigned(array $query): bool
    {
        $right = hash_hmac('sha256', "$this->clientId|" . ($query['account_id'] ?? ''), $this->clientSecret);
        return hash_equals($right, $query['signature']) && ($query['client_uuid'] ?? '') === $this->clientId;
    }

    /** Returns the number of the account, from the claims of its access token, which came from the service itself. */
    public function accountNumber(): ?string
    {
        $parts = explode('.', $this->store->get('facts', 'tokens')['access_token'] ?? '');
        $claims = json_decode((string) base64_decode(strtr($parts[1] ?? '', '-_', '+/')), true);
        return isset($claims['account_id']) ? (string) $claims['account_id'] : null;
    }
}
