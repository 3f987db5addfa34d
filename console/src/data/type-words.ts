/** `GOOGLE_WORKSPACE` as `Google Workspace`: the name of an app as far as its type tells. */
export const plainTypeWords = (type: string): string =>
  type
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join(' ')
