/** Stands in the form's file where the reason of a rejection is put. */
export const messageMark = "<!-- message -->";

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as HTML shows it. */
export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? character);

/** The sign-in form, with the reason why it was refused. A function as the replacement keeps `$` as it is. */
export const withMessage = (form: string, message?: string): string =>
  form.replace(messageMark, () =>
    message === undefined ? "" : `<p class="refusal" role="alert">${escaped(message)}.</p>`,
  );
