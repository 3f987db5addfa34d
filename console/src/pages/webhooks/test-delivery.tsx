import { useMutation } from '@tanstack/react-query'
import { callConsole } from '../../data/call.ts'
import { useReload } from '../../data/record.ts'
import { PushButton } from '../../ui/button.tsx'
import { FormError } from '../../ui/form/field.tsx'
import { AttemptFacts } from './attempt-facts.tsx'

/** Sends a test event and shows the result. */
export function TestDelivery({ id }: { id: string }) {
  const reload = useReload()
  const test = useMutation({
    mutationFn: () => callConsole('testWebhook', { id, body: {} }),
    onSuccess: reload,
  })
  return (
    <div className="stack tight">
      <span className="row">
        <PushButton busy={test.isPending} onClick={() => test.mutate()}>
          Send test event
        </PushButton>
      </span>
      <FormError error={test.error} />
      <div role="status" className="stack tight">
        {test.data && (
          <>
            <p className={test.data.delivered ? 'notice good' : 'notice bad'}>
              {test.data.delivered
                ? 'The test event was acknowledged.'
                : 'The test event was not acknowledged.'}
            </p>
            <AttemptFacts attempt={test.data.attempt} />
          </>
        )}
      </div>
    </div>
  )
}
