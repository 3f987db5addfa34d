const wrapper = '\0virtual:wxt-unlisted-script-entrypoint?'

/** Scripts for pages go into the build without the build tool's wrapper, which reports nothing in a release: pages pay for each byte. */
export const leanEntrypoints = () => ({
  name: 'lean-entrypoints',
  enforce: 'pre' as const,
  load: (id: string) =>
    id.startsWith(wrapper)
      ? `import script from ${JSON.stringify(id.slice(wrapper.length))}\nscript.main()\n`
      : null,
})
