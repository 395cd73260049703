// What the feed says while something is being read. The answer may be older than what came during the question: so the
// changes are put over it once more, in their order.

type Change<T> = (known: T) => T;

/** Keeps the changes that arrive while questions are in progress. A change made twice has to be the same as made once. */
export class Meanwhile<T> {
  #questions = 0;
  #changes: Change<T>[] = [];

  /** Remembers a change, if a question is in progress whose answer may not know it. */
  note(change: Change<T>): void {
    if (this.#questions > 0) this.#changes.push(change);
  }

  /** Asks; what arrives until `take` is done with the answer is given to it, as one change. */
  async during<A>(question: Promise<A>, take: (answer: A, since: Change<T>) => void): Promise<void> {
    const from = this.#changes.length;
    this.#questions += 1;
    try {
      const answer = await question;
      const changes = this.#changes.slice(from);
      take(answer, (known) => changes.reduce((sofar, change) => change(sofar), known));
    } finally {
      this.#questions -= 1;
      if (this.#questions === 0) this.#changes = [];
    }
  }
}
