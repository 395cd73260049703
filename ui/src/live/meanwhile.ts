// What the feed says while something is being read. The answer may be older than what came during the question: so the
// changes are put over it once more, in their order.

type Change<T> = (known: T) => T;

/** When a question was asked, among the changes and the other questions. */
export type Asked = number;

/** Keeps the changes that arrive while questions are in progress. A change made twice has to be the same as made once. */
export class Meanwhile<T> {
  #questions = 0;
  #time: Asked = 0;
  #changes: { at: Asked; make: Change<T> }[] = [];

  /**
   * Remembers a change, if a question is in progress whose answer may not know it. What an answer changed is as old as its
   * question: the answer of a later question knows better, whichever of the two arrives first.
   */
  note(make: Change<T>, at: Asked = (this.#time += 1)): void {
    if (this.#questions > 0) this.#changes.push({ at, make });
  }

  /** Asks; what arrives until `take` is done with the answer is given to it, as one change. Gives what `take` makes of it. */
  async during<A, R>(question: Promise<A>, take: (answer: A, since: Change<T>, asked: Asked) => R): Promise<R> {
    const asked = (this.#time += 1);
    this.#questions += 1;
    try {
      const answer = await question;
      const changes = this.#changes.filter(({ at }) => at > asked);
      return take(answer, (known) => changes.reduce((sofar, { make }) => make(sofar), known), asked);
    } finally {
      this.#questions -= 1;
      if (this.#questions === 0) this.#changes = [];
    }
  }
}
