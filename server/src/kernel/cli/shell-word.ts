/** A text as one word of a line for the shell: in quotes where it would be taken apart, or for something else. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
