<?php
/** The memory of the bridge: tables in memory, a journal of their changes on the disk, and the jobs among them. */
declare(strict_types=1);

/** The tables. What `commit` has returned from survives a kill of the process and of the machine. */
final class Store
{
    private const FLAGS = JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES;
    private const NUMBERED = ['jobs', 'seen'];
    private array $tables = [];
    private int $number = 0;
    private mixed $lock;
    private mixed $file;
    /** Another stream of the same file: PHP buffers what a stream writes after its first `fsync`, and such errors are lost. */
    private mixed $sync;
    /** The function that learns the id of each new job. */
    public ?Closure $listener = null;

    public function __construct(private string $path)
    {
        $this->lock = fopen("$path.lock", 'c');
        flock($this->lock, LOCK_EX | LOCK_NB) ?: throw new RuntimeException("Another process uses $path.");
        $journal = fopen($path, 'c+');
        // If the last line is torn, it is cut off: nobody was promised anything for it.
        for ($number = 1; str_ends_with($line = (string) fgets($journal), "\n"); $number++) {
            $this->apply(json_decode($line, true) ?? throw new RuntimeException("$path: line $number is damaged."));
        }
        $this->compact();
    }

    /** Returns the change that orders a job. */
    public static function job(string $kind, string $lane, mixed $body, int $rank = 0): array
    {
        return ['jobs', null, ['kind' => $kind, 'lane' => $lane, 'rank' => $rank, 'at' => time(), 'body' => $body]];
    }

    public function get(string $table, string|int $key): mixed
    {
        return $this->tables[$table][$key] ?? null;
    }

    public function all(string $table): array
    {
        return $this->tables[$table] ?? [];
    }

    /**
     * Makes changes, all of them or none: `[table, key, value]`. Without a key, the value gets the next number; without a value,
     * the key goes. Each call is a line and a sync of its own: an ordinary disk has some hundreds of them in a second.
     */
    public function commit(array ...$changes): void
    {
        $changes = array_map(fn ($change) => [$change[0], $change[1] ?? ++$this->number, $change[2]], $changes);
        $size = ftell($this->file);
        try {
            self::write($this->file, $changes);
            fsync($this->sync) ?: throw new RuntimeException('the journal cannot be synced');
        } catch (RuntimeException $error) { // No half of a line may be in front of the next one.
            ftruncate($this->file, $size) && fseek($this->file, $size);
            throw $error;
        }
        $this->apply($changes);
        foreach ($changes as [$table, $key, $value]) {
            if ($table === 'jobs' && $value !== null) {
                ($this->listener)($key);
            }
        }
    }

    private static function write(mixed $file, array $changes): void
    {
        $line = json_encode($changes, self::FLAGS) . "\n";
        @fwrite($file, $line) === strlen($line) ?: throw new RuntimeException('the journal cannot be written: is the disk full?');
    }

    private function apply(array $changes): void
    {
        foreach ($changes as [$table, $key, $value]) {
            if ($value === null) {
                unset($this->tables[$table][$key]);
            } else {
                $this->tables[$table][$key] = $value;
                $this->number = in_array($table, self::NUMBERED) ? max($this->number, $key) : $this->number;
            }
        }
    }

    /** Writes a new journal with what is still true, and puts it in the place of the old one. */
    private function compact(): void
    {
        [$this->file, $this->sync] = [fopen("$this->path.new", 'w'), fopen("$this->path.new", 'r')];
        foreach ($this->tables as $table => $rows) {
            foreach ($rows as $key => $value) {
                self::write($this->file, [[$table, $key, $value]]);
            }
        }
        // The name is in the directory, which is synced like a file.
        $isThere = fsync($this->sync) && rename("$this->path.new", $this->path) && fsync(fopen(dirname($this->path), 'r'));
        $isThere ?: throw new RuntimeException("$this->path cannot be replaced.");
    }
}

/** The work on jobs. Those of a lane are done one after the other, by rank. Each lane with jobs is a fiber. */
final class Lanes
{
    private const PAUSE_MAX = 30;
    /** The ranks of the jobs of each lane, by their ids. */
    private array $lanes = [];

    /** Each of `$works` takes a job and the number of its tries. It gives `null` when the job is gone, else the next pause. */
    public function __construct(private Store $store, private array $works)
    {
        $store->listener = $this->add(...);
        array_map($this->add(...), array_keys($store->all('jobs')));
    }

    private function add(int $id): void
    {
        $job = $this->store->get('jobs', $id);
        $lane = "{$job['kind']} {$job['lane']}";
        $isIdle = empty($this->lanes[$lane]);
        $this->lanes[$lane][$id] = $job['rank'];
        if ($isIdle) {
            Loop::go(fn () => $this->run($lane));
        }
    }

    private function run(string $lane): void
    {
        $tries = [];
        while ($ranks = $this->lanes[$lane]) {
            $id = array_search(min($ranks), $ranks, true);
            $job = $this->store->get('jobs', $id) + ['id' => $id];
            $count = $tries[$id] = ($tries[$id] ?? -1) + 1;
            try {
                $pause = $this->works[$job['kind']]($job, $count);
            } catch (Throwable $error) {
                note("a job of the kind {$job['kind']} failed, and is tried again", $error);
                $pause = min(self::PAUSE_MAX, 0.2 * 2 ** $count);
            }
            if ($pause === null) {
                unset($this->lanes[$lane][$id], $tries[$id]);
            } else {
                Loop::sleep($pause);
            }
        }
        unset($this->lanes[$lane]);
    }
}
