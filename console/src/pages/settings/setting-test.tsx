import { useMutation } from '@tanstack/react-query'
import { callConsole } from '../../data/call.ts'
import { PushButton } from '../../ui/button.tsx'
import { FormError } from '../../ui/form/field.tsx'
import { Card } from '../../ui/page/card.tsx'
import { mailResultText } from './mail-result-text.ts'
import type { SettingTestTexts } from './setting-page-texts.ts'

interface TestOutcome {
  readonly works: boolean
  readonly text: string
}

async function runTest({ operation, kind = 'SYSLOG' }: SettingTestTexts): Promise<TestOutcome> {
  if (operation === 'sendTestMail') {
    const sent = await callConsole(operation)
    return { works: sent.sentBy !== 'FAILED', text: mailResultText(sent) }
  }
  const { works, target, reason } =
    operation === 'testStream'
      ? await callConsole(operation, { body: { kind } })
      : await callConsole(operation)
  const success = operation === 'testSignOn' ? 'publishes a valid configuration' : 'took a test event'
  if (works) return { works, text: `${target} ${success}.` }
  return { works, text: target === null ? (reason ?? '') : `${target} cannot be used: ${reason}` }
}

/** Tests the saved settings and shows the exact error. */
export function SettingTest(texts: SettingTestTexts) {
  const test = useMutation({ mutationFn: () => runTest(texts) })
  return (
    <Card title="Test" note="Uses the saved settings.">
      <div role="status">
        {test.data && <p className={test.data.works ? 'notice good' : 'notice bad'}>{test.data.text}</p>}
      </div>
      <FormError error={test.error} />
      <span className="row">
        <PushButton busy={test.isPending} onClick={() => test.mutate()}>
          {texts.action}
        </PushButton>
      </span>
    </Card>
  )
}
