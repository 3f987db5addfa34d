const wrapper = '\0virtual:wxt-unlisted-script-entrypoint?'

/**
 * Builds page scripts without the build tool's wrapper, which has no effect in a release and makes every page load more
 * bytes.
 */
export const leanEntrypoints = () => ({
  name: 'lean-entrypoints',
  enforce: 'pre' as const,
  load: (id: string) =>
    id.startsWith(wrapper)
      ? `import script from ${JSON.stringify(id.slice(wrapper.length))}\nscript.main()\n`
      : null,
})
