// The page may not load anything from anywhere, even if its script tried to: its own policy forbids it.
import { assert } from "./support/check.mjs";

const elsewhere = "https://carom.invalid/";

export async function forbidsTheNetwork(report) {
  const refused = await report.ask(async (address) => {
    const violations = [];
    document.addEventListener("securitypolicyviolation", (event) => violations.push(event.effectiveDirective));
    const attempts = [fetch(address).then(() => "fetched", () => "refused")];
    const element = (tag, attributes) => {
      const made = Object.assign(document.createElement(tag), attributes);
      attempts.push(new Promise((done) => Object.assign(made, { onload: () => done("loaded"), onerror: () => done("refused") })));
      document.head.append(made);
    };
    element("img", { src: `${address}a.png` });
    element("script", { src: `${address}a.js` });
    element("link", { rel: "stylesheet", href: `${address}a.css` });
    return { outcomes: await Promise.all(attempts), violations };
  }, elsewhere);
  assert.deepEqual(refused.outcomes, ["refused", "refused", "refused", "refused"]);
  for (const directive of ["connect-src", "img-src", "script-src-elem", "style-src-elem"]) {
    assert.ok(refused.violations.includes(directive), `${directive} is guarded; violations: ${refused.violations}`);
  }
  const requests = report.complaints.filter((complaint) => complaint.startsWith("request:"));
  const sent = await report.ask(() => performance.getEntriesByType("resource").filter((entry) => entry.responseStatus > 0).length);
  assert.equal(sent, 0, `answers from elsewhere; asked for: ${requests}`);
}
