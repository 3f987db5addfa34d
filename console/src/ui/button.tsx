import type { ComponentProps } from 'react'

/** A button; a plain one unless told. `busy` keeps it from being pressed twice. */
export function PushButton({
  kind = '',
  busy = false,
  disabled,
  ...rest
}: ComponentProps<'button'> & { kind?: string; busy?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      className={`button ${kind}`}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
    />
  )
}
