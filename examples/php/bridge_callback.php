<?php
/** Callbacks, as the bridge reads them, and the files that they name. */
declare(strict_types=1);

/** Returns the first text that is not empty. */
function first(string ...$texts): string
{
    return array_values(array_filter($texts, fn ($text) => $text !== ''))[0] ?? '';
}

/** A callback: nothing has to be there, and anything may be of another type. */
final class Callback
{
    private const DEPTH_MAX = 256;
    /** The half of a surrogate pair, which is in no UTF-8. What begins with an escaped backslash is none. */
    private const HALF = '~(?:\\\\[^u]|\\\\u[dD][89abAB]..\\\\u[dD][c-fC-F]..)(*SKIP)(*F)|\\\\u[dD][89a-fA-F]..~';
    /** The event of a message, also that of an edit, or nothing. */
    private array $message;
    public readonly array $content;
    public readonly bool $isEdit;

    public function __construct(public readonly array $event)
    {
        $action = self::part($event, 'action');
        $edit = self::part($action, 'edit_message') ?: self::part($action, 'edit');
        $this->isEdit = $edit || ($event['event_type'] ?? '') === 'edit_message';
        $this->message = $edit ?: self::part($event, 'message');
        $this->content = self::part($this->message, 'message');
    }

    public static function parse(string $body): ?self
    {
        $event = json_decode($body, true, self::DEPTH_MAX);
        if (json_last_error() === JSON_ERROR_UTF16) {
            $event = json_decode((string) preg_replace(self::HALF, '\ufffd', $body), true, self::DEPTH_MAX);
        }
        return is_array($event) && !array_is_list($event) ? new self($event) : null;
    }

    /** Returns the object of this name; without one, an empty object: absent, `null` and `""` are the same. */
    public static function part(array $value, string $name): array
    {
        return is_array($value[$name] ?? null) ? $value[$name] : [];
    }

    public static function text(array $value, string $name): string
    {
        return is_string($value[$name] ?? null) ? $value[$name] : '';
    }

    public function id(): string
    {
        return self::text($this->content, 'id');
    }

    public function account(): string
    {
        return self::text($this->event, 'account_id');
    }

    /** Returns the texts of a part of the message: `conversation`, or `receiver`, who is the customer. */
    public function person(string $name): array
    {
        $part = self::part($this->message, $name);
        $names = ['id', 'client_id', 'name', 'phone'];
        return array_combine($names, array_map(fn ($name) => self::text($part, $name), $names));
    }

    /** Returns the name of the callback: the same in each attempt, and another one for the next edit of a message. */
    public function identity(Request $request): string
    {
        $name = first($this->id(), $request->header('webhook-id'), sha1($request->body));
        return $this->isEdit ? "edit $name " . sha1("{$this->writtenAt()} {$this->shown()}") : "message $name";
    }

    /** Returns the conversation: its messages are delivered one after the other. */
    public function lane(): string
    {
        ['id' => $ref, 'client_id' => $ours] = $this->person('conversation');
        return first($ref, $ours);
    }

    /** Returns the time when the message was written, in milliseconds. */
    public function writtenAt(): int
    {
        foreach (['msec_timestamp' => 1, 'timestamp' => 1000] as $name => $factor) {
            $value = $this->message[$name] ?? null;
            if (is_int($value) && $value > 0 && $value < 1 << 50) {
                return $value * $factor;
            }
        }
        return (int) (microtime(true) * 1000);
    }

    /** Returns the plain text that the customer reads: nothing in it is a command, a page or a path. */
    public function shown(): string
    {
        $contact = self::part($this->content, 'contact');
        $lines = [
            first(self::text($this->content, 'text'), self::text(self::part($this->content, 'template'), 'content')),
            self::text($this->content, 'file_name'),
            ...array_map(fn ($name) => self::text($contact, (string) $name), array_keys($contact)),
            ...array_filter(array_values(self::part($this->content, 'location')), 'is_numeric'),
            ...self::choices(self::part($this->content, 'markup')),
        ];
        return implode("\n", array_filter($lines, fn ($line) => $line !== ''));
    }

    /** Returns the rows of a list and the buttons, a line for each: the customer answers with the text of one. */
    private static function choices(array $markup): array
    {
        $objects = fn (array $values): array => array_filter($values, 'is_array');
        $list = self::part($markup, 'list_message');
        $lines = array_map(fn ($name) => self::text($list, $name), ['header', 'body', 'footer']);
        foreach ($objects(self::part($list, 'sections')) as $section) {
            $lines[] = self::text($section, 'title');
            foreach ($objects(self::part($section, 'rows')) as $row) {
                $lines[] = '- ' . self::text($row, 'title');
            }
        }
        foreach ($objects(array_merge(...array_values($objects(self::part($markup, 'buttons'))))) as $button) {
            $lines[] = rtrim(self::text($button, 'text') . ': ' . self::text($button, 'url'), ': ');
        }
        return $lines;
    }
}

/** The reason why a message cannot reach the customer, for the account user. */
final class Obstacle extends RuntimeException {}

/** The files of messages. Each is fetched, as for a messenger that wants its bytes. */
final class Media
{
    private const MAX = 20 << 20;
    private const TRIES = 3;
    /** The types that the messenger can show, with the kinds of files that they may be. */
    private const TYPES = ['text' => [], 'contact' => [], 'location' => [], 'file' => [''], 'picture' => ['image/'],
        'video' => ['video/'], 'voice' => ['audio/', 'application/ogg'], 'audio' => ['audio/', 'application/ogg'],
        'sticker' => ['image/', 'video/']];
    private Permits $permits;

    public function __construct(private Service $service)
    {
        $this->permits = new Permits(4); // Each may have a whole file in memory.
    }

    /**
     * Checks that a message can be shown.
     *
     * @throws Obstacle if it cannot
     * @throws Lost if the next try may be better
     */
    public function check(array $content, int $tries): void
    {
        $type = Callback::text($content, 'type');
        $kinds = self::TYPES[$type] ?? throw new Obstacle("This messenger has no messages of the type «{$type}».");
        if (!$kinds) {
            return;
        }
        $isLast = $tries + 1 >= self::TRIES;
        $encode = fn (array $match): string => rawurlencode($match[0]);
        $url = preg_replace_callback('/[^\x21-\x7e]/', $encode, Callback::text($content, 'media'));
        preg_match('~^https?://~', $url) ?: throw new Obstacle('The file has no address of the web.');
        try {
            $answer = $this->permits->run(fn () => $this->service->fetchFile($url, self::MAX));
        } catch (Lost $why) {
            $isOver = $isLast || $why instanceof Late || $why instanceof TooLong;
            throw $isOver ? new Obstacle("The file cannot be fetched: {$why->getMessage()}.") : $why;
        }
        if ($answer->status >= 300) {
            $text = "The address of the file answers $answer->status.";
            throw $answer->status < 500 || $isLast ? new Obstacle($text) : new Lost($text);
        }
        $isKind = array_filter($kinds, fn ($kind) => str_starts_with($answer->mediaType, $kind));
        if (!$isKind || $answer->mediaType === 'text/html') {
            throw new Obstacle("The address of the file answers with the type $answer->mediaType.");
        }
    }
}
