import type { PageThreat } from '@muster/contract/agent/agent-event'

/** Texts of a warning. */
export interface WarningTexts {
  readonly title: string
  readonly text: string
}

const words: Readonly<Record<PageThreat, (app: string, host: string) => WarningTexts>> = {
  PROTECTED_PASSWORD_ENTERED: (app, host) => ({
    title: `This is your password for ${app}`,
    text: `You typed it on ${host}, which does not belong to ${app}. If a message brought you here, it may be a phishing attempt.`,
  }),
  CLONED_LOGIN_PAGE: (app, host) => ({
    title: `This page is not ${app}`,
    text: `${host} looks like the sign-in page of ${app}, but does not belong to it. Do not enter your password.`,
  }),
  PHISHING_TOOL: (_, host) => ({
    title: 'This page may steal your password',
    text: `${host} shows signs of a phishing tool. Do not enter your password.`,
  }),
  MALICIOUS_COPY_PASTE: (_, host) => ({
    title: 'This page wants you to run a command',
    text: `${host} put a command on your clipboard that you did not select. Never paste it into a terminal or the Run dialog.`,
  }),
}

export const warningTexts = (threat: PageThreat, appName: string | null, host: string): WarningTexts =>
  words[threat](appName ?? 'another app', host)

export const buttonTexts = { leave: 'Leave this page', close: 'Close', proceed: 'Continue anyway' } as const
export const contactText = (contact: string) => `Questions? Contact ${contact}.`
