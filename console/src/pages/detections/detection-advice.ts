import type { Detection } from '@muster/contract/detection'
import { isWebAddress } from '../../data/http-address.ts'

type Facts = Pick<Detection, 'detectionType' | 'response' | 'url'>

const wasStopped = ({ response }: Facts): boolean => response === 'BLOCKED' || response === 'EMPLOYEE_WARNED'

const changePassword = 'Have the password changed, and all sessions of the account ended.'

const blockStep = ({ url }: Facts) =>
  isWebAddress(url) ? ['Block the address, so that nobody else gets there.'] : []

const steps: Readonly<Record<Detection['detectionType'], (facts: Facts) => readonly string[]>> = {
  PHISHING: (facts) => [
    ...(wasStopped(facts)
      ? ['It was stopped before anything was typed in: tell the employee that they did well.']
      : [`Ask what was typed in. If it was a password: ${changePassword.toLowerCase()}`]),
    ...blockStep(facts),
    'Check below who else visited it, and report it to the hosting provider.',
  ],
  STOLEN_CREDENTIALS: () => [
    changePassword,
    'Ask for a second factor on the account, and look at its sign-ins since the password was stolen.',
    'Look for other accounts that have the same password: they are findings of this person.',
  ],
  BLOCKED_URL: () => [
    'Mostly there is nothing to do: the page was not opened.',
    'If many people come there for their work, the pattern is too wide: change it under Blocked addresses.',
  ],
  MALWARE_DELIVERY: (facts) => [
    ...(wasStopped(facts)
      ? ['The command did not reach the clipboard, or the employee did not go on.']
      : ['Ask whether the command was run. If it was: take the computer off the network and examine it.']),
    ...blockStep(facts),
  ],
  MALICIOUS_BROWSER_EXTENSION: () => [
    'Block the extension: the agent disables it in every browser.',
    'End the sessions of this person in important apps: the extension may have read them.',
    'Look at who else has it.',
  ],
}

/** What to do about a detection, one step after the other. */
export const detectionSteps = (facts: Facts): readonly string[] => steps[facts.detectionType](facts)

/** Whether to block the address where it happened is one of the steps. */
export const isBlockable = ({ detectionType, url }: Facts): boolean =>
  (detectionType === 'PHISHING' || detectionType === 'MALWARE_DELIVERY') && isWebAddress(url)
