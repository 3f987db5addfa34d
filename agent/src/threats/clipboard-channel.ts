/**
 * How the hook in the page's world and the agent's own world find each other. Both run before the page's
 * scripts; whichever comes second makes the first one answer, and the name that is agreed on is random, so
 * that a page can neither listen nor pretend.
 */
export const clipboardHello = 'muster:clipboard-hello'
export const clipboardQuestion = 'muster:clipboard-question'
