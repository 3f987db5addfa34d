/** Text that a person can read in a document, normalized. */
export interface PageText {
  /** Text outside of links and buttons. */
  readonly prose: string
  /** Text of links and buttons. */
  readonly controls: string
}

const textMaximum = 4_000

/** Reads the visible text. */
export function readPageText(): PageText {
  const text = (document.body?.innerText ?? '').slice(0, textMaximum)
  return { prose: text.replace(/\s+/g, ' ').trim().toLowerCase(), controls: '' }
}
