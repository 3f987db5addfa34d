import type { Mail } from '../notices/mail.ts'

const dateText = (unixSeconds: number): string =>
  `${new Date(unixSeconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** A link and what its mail says of it. */
export interface LinkMail {
  readonly to: string
  readonly organization: string
  readonly link: string
  readonly expirationTimestamp: number
}

export const invitationMail = ({ to, organization, link, expirationTimestamp }: LinkMail): Mail => ({
  to,
  subject: `You are invited to administer ${organization} in Muster`,
  text: `Hello,

you are invited to the admin console of Muster, for the organization ${organization}.
Choose your password here:

${link}

The link works once, until ${dateText(expirationTimestamp)}. If you did not expect it, leave it alone.
`,
})

/** What an employee is sent to connect a browser by. */
export const enrollmentMail = ({ to, organization, link, expirationTimestamp }: LinkMail): Mail => ({
  to,
  subject: `Connect your browser to ${organization}`,
  text: `Hello,

${organization} protects its work accounts with Muster. Open this link in the browser that you work with, and follow it:

${link}

The link works once, until ${dateText(expirationTimestamp)}. It is for you alone: do not pass it on. If you did not expect it,
ask your security team before you open it.
`,
})

export const resetMail = ({ to, organization, link, expirationTimestamp }: LinkMail): Mail => ({
  to,
  subject: 'Set a new password for Muster',
  text: `Hello,

an owner of the organization ${organization} asks you to set a new password for the admin console of Muster:

${link}

The link works once, until ${dateText(expirationTimestamp)}. When it is used, all your sessions end.
`,
})
