"""The memory of the bridge: one SQLite database, the thread that writes it, and the workers on the jobs in it.

What the bridge has answered or sent has to survive a kill, so each change is on the disk before `Store.run` returns. Many
callbacks at once share one sync: the thread takes all changes that wait into one transaction."""

import heapq
import queue
import sqlite3
import sys
import threading
import time
from collections import namedtuple
from concurrent.futures import Future

SCHEMA = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE IF NOT EXISTS callbacks (identity TEXT PRIMARY KEY, at INTEGER);
CREATE TABLE IF NOT EXISTS jobs (id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT, lane TEXT, rank INTEGER, at INTEGER, body BLOB);
CREATE TABLE IF NOT EXISTS chats (conversation TEXT PRIMARY KEY, customer TEXT, name TEXT, phone TEXT, chat_ref TEXT,
  customer_ref TEXT, is_from_service INTEGER, contact INTEGER);
CREATE INDEX IF NOT EXISTS chats_by_ref ON chats (chat_ref);
CREATE TABLE IF NOT EXISTS seen (id INTEGER PRIMARY KEY AUTOINCREMENT, msgid TEXT, conversation TEXT, text TEXT);
"""
CHANGES_MAX = 500

Job = namedtuple("Job", "id kind lane rank at body tries")


def log(text):
    print(text, file=sys.stderr, flush=True)


class Store:
    def __init__(self, path):
        self.changes = queue.Queue()
        self.listener = lambda kind, lane, rank, number: None
        self.new_jobs = []
        # Only the thread of the store uses the connection, one change after the other.
        self.connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self.connection.row_factory = sqlite3.Row
        self.connection.executescript(SCHEMA)
        threading.Thread(target=self._write, daemon=True).start()

    def run(self, change):
        """Returns what `change(connection)` returns, when it is on the disk."""
        result = Future()
        self.changes.put((change, result))
        return result.result()

    def fact(self, name):
        row = self.run(lambda db: db.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone())
        return row and row["value"]

    def add_job(self, db, kind, lane, body, rank=0):
        """Adds a job within a change. Its worker learns of it when it is on the disk."""
        row = (kind, lane, rank, int(time.time()), body)
        number = db.execute("INSERT INTO jobs (kind, lane, rank, at, body) VALUES (?, ?, ?, ?, ?)", row).lastrowid
        self.new_jobs.append((kind, lane, rank, number))

    def _write(self):
        while True:
            changes = [self.changes.get()]
            while len(changes) < CHANGES_MAX and not self.changes.empty():
                changes.append(self.changes.get())
            self.new_jobs = []
            try:
                outcomes = self._commit(changes)
            except sqlite3.Error as error:  # Nothing of the transaction is stored, for example on a full disk.
                outcomes = [(result.set_exception, error) for _, result in changes]
                self.new_jobs = []
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
            for job in self.new_jobs:
                self.listener(*job)
            for give, outcome in outcomes:
                give(outcome)

    def _commit(self, changes):
        outcomes = []
        self.connection.execute("BEGIN IMMEDIATE")
        for change, result in changes:
            job_count = len(self.new_jobs)
            self.connection.execute("SAVEPOINT change")
            try:
                outcomes.append((result.set_result, change(self.connection)))
            except Exception as error:  # The mistake of one change is not that of the others.
                self.connection.execute("ROLLBACK TO change")
                del self.new_jobs[job_count:]
                outcomes.append((result.set_exception, error))
            self.connection.execute("RELEASE change")
        self.connection.execute("COMMIT")
        return outcomes


def set_facts(db, **facts):
    db.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?)", facts.items())


class Workers:
    """Threads for one kind of jobs. They do the jobs of a lane one after the other, by rank, and those of several lanes at once.

    `work(job)` gives `None` when the job has left the store, or the seconds until its lane is tried again."""

    def __init__(self, store, kind, work):
        self.store, self.kind, self.work = store, kind, work
        self.lanes, self.due, self.tries, self.busy = {}, {}, {}, set()
        self.change = threading.Condition()
        query = "SELECT lane, rank, id FROM jobs WHERE kind = ?"
        for lane, rank, number in store.run(lambda db: db.execute(query, (kind,)).fetchall()):
            self.add(lane, rank, number)

    def start(self, count):
        for _ in range(count):
            threading.Thread(target=self._run, daemon=True).start()

    def add(self, lane, rank, number):
        with self.change:
            heapq.heappush(self.lanes.setdefault(lane, []), (rank, number))
            self.change.notify()

    def _run(self):
        while True:
            lane, entry = self._take()
            query = "SELECT * FROM jobs WHERE id = ?"
            try:
                row = self.store.run(lambda db: db.execute(query, (entry[1],)).fetchone())
                seconds = row and self.work(Job(*row, self.tries.get(entry[1], 0)))
            except Exception as error:  # A mistake in one job must not end the thread.
                log(f"a job of the kind {self.kind} failed, and is tried again: {error!r}")
                seconds = min(30, 0.2 * 2 ** self.tries.get(entry[1], 0))
            self._give_back(lane, entry, seconds)

    def _take(self):
        with self.change:
            while True:
                now = time.monotonic()
                waits = []
                for lane, entries in self.lanes.items():
                    if lane in self.busy:
                        continue
                    if self.due.get(lane, 0) <= now:
                        self.busy.add(lane)
                        return lane, entries[0]
                    waits.append(self.due[lane] - now)
                self.change.wait(min(waits, default=None))

    def _give_back(self, lane, entry, seconds):
        with self.change:
            self.busy.discard(lane)
            entries = self.lanes.pop(lane)  # To the end: no lane waits for one that is always full.
            if seconds is None:
                entries.remove(entry)
                heapq.heapify(entries)
                self.due.pop(lane, None)
                self.tries.pop(entry[1], None)
            else:
                self.due[lane] = time.monotonic() + seconds
                self.tries[entry[1]] = self.tries.get(entry[1], 0) + 1
            if entries:
                self.lanes[lane] = entries
            self.change.notify()
