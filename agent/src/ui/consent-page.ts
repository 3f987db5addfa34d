import { type AnswerOf, ask } from '../messages.ts'
import { fillTexts, part, show } from './page-parts.ts'
import { type TextName, text } from './texts.ts'

const outcomeTexts: Readonly<Record<AnswerOf<'answerEnrollment'>, TextName>> = {
  CONNECTED: 'consentConnected',
  DECLINED: 'consentDeclined',
  DORMANT: 'consentDormant',
  UNREACHABLE: 'consentUnreachable',
  SERVER_ERROR: 'consentServerError',
  REFUSED: 'consentRefused',
  LINK_USED: 'troubleLinkUsed',
}

/** Outcomes after which the employee may try again. */
const mayTryAgain: ReadonlySet<string> = new Set(['UNREACHABLE', 'SERVER_ERROR'])

const request = new URLSearchParams(location.search).get('request') ?? ''
const connectButton = part('connect') as HTMLButtonElement
const declineButton = part('decline') as HTMLButtonElement

async function showQuestion(): Promise<void> {
  const pending = await ask('getPendingEnrollment', { request })
  if (!pending) return show('title', text('consentGone'))
  show('title', text('consentTitle', { host: pending.host }))
  document.title = text('consentTitle', { host: pending.host })
  show('host', pending.host)
  show('replaces', pending.replaces === null ? null : text('consentReplaces', { host: pending.replaces }))
  part('question').hidden = false
  connectButton.addEventListener('click', () => void answer(true, pending.host))
  declineButton.addEventListener('click', () => void answer(false, pending.host))
  // A key press meant for the previous page must not confirm.
  declineButton.focus()
}

async function answer(connect: boolean, host: string): Promise<void> {
  connectButton.disabled = true
  declineButton.disabled = true
  show('outcome', connect ? text('connecting') : '')
  const outcome = (await ask('answerEnrollment', { request, connect })) ?? 'SERVER_ERROR'
  show('outcome', text(outcomeTexts[outcome], { host }))
  part('outcome').dataset.outcome = outcome
  const isOpen = mayTryAgain.has(outcome)
  part('question').hidden = !isOpen
  connectButton.disabled = !isOpen
  declineButton.disabled = !isOpen
}

fillTexts()
void showQuestion()
