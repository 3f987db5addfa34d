/** Returns the result of a test mail as a sentence. */
export function mailResultText({
  to,
  sentBy,
  reason,
}: {
  to: string
  sentBy: 'SMTP' | 'FILE' | 'FAILED'
  reason: string | null
}): string {
  if (sentBy === 'SMTP') return `The mail server accepted the message to ${to}. Check whether it arrives.`
  if (sentBy === 'FILE') return `The message to ${to} was saved as a file in the “mail” folder.`
  return `The message to ${to} could not be sent. ${reason ?? ''}`
}
