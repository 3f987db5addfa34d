/**
 * Sequence numbers: the second of creation (32 bits) and a number from the store's counter (21 bits) in one integer, which a
 * JavaScript number holds exactly. Lists ordered by it are in creation order, also for imported records, and a creation window
 * is a range of the key (ADR 0004).
 */
export const numbersPerSecond = 2 ** 21

/** Returns the sequence number of a record created at `unixSeconds`. `number` makes it unique within the second. */
export const sequenceOf = (unixSeconds: number, number: number): number =>
  unixSeconds * numbersPerSecond + (number % numbersPerSecond)

/** Returns the smallest sequence number of a record created at `unixSeconds`. */
export const firstSequenceOf = (unixSeconds: number): number => unixSeconds * numbersPerSecond

/** Returns the second of creation in a sequence number. */
export const secondOfSequence = (seq: number): number => Math.floor(seq / numbersPerSecond)

/** Exclusive upper bound of all sequence numbers. */
export const sequenceEnd = Number.MAX_SAFE_INTEGER
