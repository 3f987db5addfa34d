/** A key beside what it does; what it does is said by the text alone. */
export const KeyHint = ({ keys }: { keys: string }) => (
  <span className="key-hint" aria-hidden="true">
    {keys}
  </span>
)
