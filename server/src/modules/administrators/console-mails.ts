import type { Mail } from '../notices/mail.ts'

const dateText = (unixSeconds: number): string =>
  `${new Date(unixSeconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** Content of a mail with a link. */
export interface LinkMail {
  readonly to: string
  readonly organization: string
  readonly link: string
  readonly expirationTimestamp: number
}

export const invitationMail = ({ to, organization, link, expirationTimestamp }: LinkMail): Mail => ({
  to,
  subject: `You have been invited to administer ${organization} in Muster`,
  text: `Hello,

You have been invited to the Muster console of the organization ${organization}.
Open this link to set your password:

${link}

The link works once, until ${dateText(expirationTimestamp)}. If you weren't expecting this, you can ignore it.
`,
})

/** Mail with a link that enrolls the employee's browser. */
export const enrollmentMail = ({ to, organization, link, expirationTimestamp }: LinkMail): Mail => ({
  to,
  subject: `Connect your browser to ${organization}`,
  text: `Hello,

${organization} protects its work accounts with Muster. Open this link in the browser that you use for work and follow the steps:

${link}

The link works once, until ${dateText(expirationTimestamp)}. It is personal: do not forward it. If you weren't expecting this,
ask your security team before you open it.
`,
})

export const resetMail = ({ to, organization, link, expirationTimestamp }: LinkMail): Mail => ({
  to,
  subject: 'Set a new password for Muster',
  text: `Hello,

An owner of the organization ${organization} has asked you to set a new password for the Muster console:

${link}

The link works once, until ${dateText(expirationTimestamp)}. Using it ends all your sessions.
`,
})
