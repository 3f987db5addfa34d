import type { Detection } from '@muster/contract/records/detection'
import { isWebAddress } from '../../data/http-address.ts'

type Facts = Pick<Detection, 'detectionType' | 'response' | 'url'>

const wasStopped = ({ response }: Facts): boolean => response === 'BLOCKED' || response === 'EMPLOYEE_WARNED'

const changePassword = 'Have the employee change the password, and end all sessions of the account.'

const blockStep = ({ url }: Facts) => (isWebAddress(url) ? ['Block the address for everyone.'] : [])

const steps: Readonly<Record<Detection['detectionType'], (facts: Facts) => readonly string[]>> = {
  PHISHING: (facts) => [
    ...(wasStopped(facts)
      ? ['It was stopped before anything was entered. Let the employee know that they did the right thing.']
      : [
          `Ask what was entered. If it was a password: ${changePassword.charAt(0).toLowerCase()}${changePassword.slice(1)}`,
        ]),
    ...blockStep(facts),
    'Check below who else visited it, and report it to the hosting provider.',
  ],
  STOLEN_CREDENTIALS: () => [
    changePassword,
    'Require MFA for the account, and review its sign-ins since the password was stolen.',
    'Check for other accounts with the same password. They are listed as findings of this person.',
  ],
  BLOCKED_URL: () => [
    'Usually nothing to do: the page was blocked.',
    'If people need it for work, narrow the pattern under Blocked addresses.',
  ],
  MALWARE_DELIVERY: (facts) => [
    ...(wasStopped(facts)
      ? ['The command did not reach the clipboard, or the employee did not continue.']
      : [
          'Ask whether the command was run. If it was, disconnect the computer from the network and examine it.',
        ]),
    ...blockStep(facts),
  ],
  MALICIOUS_BROWSER_EXTENSION: () => [
    'Block the extension. The agent then disables it in every browser.',
    'End this person’s sessions in important apps. The extension may have read them.',
    'Check who else has it.',
  ],
}

/** Returns the recommended steps for a detection. */
export const detectionSteps = (facts: Facts): readonly string[] => steps[facts.detectionType](facts)

/** True if one of the steps is to change the password. */
export const changesPassword = (facts: Facts): boolean =>
  facts.detectionType === 'STOLEN_CREDENTIALS' || (facts.detectionType === 'PHISHING' && !wasStopped(facts))

/** True if blocking the address is one of the steps. */
export const isBlockable = ({ detectionType, url }: Facts): boolean =>
  (detectionType === 'PHISHING' || detectionType === 'MALWARE_DELIVERY') && isWebAddress(url)
