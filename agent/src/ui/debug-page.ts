import type { Outcome } from '../logins/judgment/judge.ts'
import type { JudgedAttempt } from '../logins/judgment/judgment-log.ts'
import { ask } from '../messages.ts'
import { fillTexts, moment, part } from './page-parts.ts'
import { type TextName, text } from './texts.ts'

const outcomeTexts: Readonly<Record<Outcome, TextName>> = {
  SUCCEEDED: 'debugSucceeded',
  FAILED: 'debugFailed',
  PENDING: 'debugPending',
}

function element(tag: string, content: string): HTMLElement {
  const made = document.createElement(tag)
  made.textContent = content
  return made
}

const signed = (weight: number) => (weight > 0 ? `+${weight}` : String(weight))

function attemptEntry({ startedMs, site, judgment }: JudgedAttempt): HTMLElement {
  const entry = document.createElement('li')
  const { outcome, score, reasons } = judgment
  const title = `${moment(startedMs / 1000)} · ${site} · ${text(outcomeTexts[outcome])} (${signed(score)})`
  const list = document.createElement('ul')
  list.append(...reasons.map(({ fact, weight }) => element('li', `${fact} ${signed(weight)}`)))
  entry.append(element('h2', title), list)
  return entry
}

async function refresh(): Promise<void> {
  const attempts = (await ask('getJudgments', {})) ?? []
  part('empty').hidden = attempts.length > 0
  part('attempts').replaceChildren(...attempts.map(attemptEntry))
}

fillTexts()
part('refresh').addEventListener('click', () => void refresh())
void refresh()
