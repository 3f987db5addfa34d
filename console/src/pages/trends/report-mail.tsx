import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { callConsole } from '../../data/call.ts'
import { messageOf } from '../../data/console-send.ts'
import { showToast } from '../../ui/dialog/toasts.tsx'
import { CheckField } from '../../ui/form/form.tsx'

const queryKey = ['report-mail']

/** Checkbox of the monthly mail to the signed-in administrator. */
export function ReportMail() {
  const queryClient = useQueryClient()
  const { data } = useQuery({ queryKey, queryFn: () => callConsole('readReportMail') })
  const change = useMutation({
    mutationFn: (subscribed: boolean) => callConsole('changeReportMail', { body: { subscribed } }),
    onSuccess: (answer) => queryClient.setQueryData(queryKey, answer),
    onError: (error) => showToast(messageOf(error), true),
  })
  return (
    <CheckField
      checked={data?.subscribed ?? false}
      onChange={(subscribed) => {
        if (!change.isPending) change.mutate(subscribed)
      }}
    >
      Email me the report about each month
    </CheckField>
  )
}
