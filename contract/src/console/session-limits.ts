/** A session ends so many seconds after its last request. This file imports nothing, because the page loads it. */
export const sessionIdleSeconds = 60 * 60
