// Journeys through the built app in headless Chromium: `CHROME` names the browser, `PLANLOOM_SITE` the app's folder.
// Prints a line a journey; the last one is `N passed, N failed`. Arguments narrow it to journeys named so, and
// `PLANLOOM_LANE` to one of the lanes that can run side by side.
import { running } from "./harness.mjs";
import { access } from "./journeys/access.mjs";
import { applying } from "./journeys/applying.mjs";
import { comparing } from "./journeys/comparing.mjs";
import { controllers } from "./journeys/controllers.mjs";
import { crashing } from "./journeys/crashing.mjs";
import { editing } from "./journeys/editing.mjs";
import { files } from "./journeys/files.mjs";
import { first } from "./journeys/first.mjs";
import { folder } from "./journeys/folder.mjs";
import { graph } from "./journeys/graph.mjs";
import { keeping } from "./journeys/keeping.mjs";
import { large } from "./journeys/large.mjs";
import { links } from "./journeys/links.mjs";
import { ownFiles, ownFilesInNode } from "./journeys/own_files.mjs";
import { renaming } from "./journeys/renaming.mjs";
import { planning } from "./journeys/planning.mjs";
import { real } from "./journeys/real.mjs";
import { recording } from "./journeys/recording.mjs";
import { failures } from "./journeys/failures.mjs";
import { services } from "./journeys/services.mjs";
import { tasks } from "./journeys/tasks.mjs";
import { versions } from "./journeys/versions.mjs";
import { hostile } from "./journeys/hostile.mjs";
import { workspaces } from "./journeys/workspaces.mjs";

/**
 * Lanes run side by side, and take about as long as each other. `loading` and `policy` are for an app
 * as it ships: what is loaded when, parts that fail to load, the policy of the page, use without a network.
 */
const LANES = {
  pages: [editing, renaming, comparing, files, folder, services, crashing],
  views: [tasks, graph, large, planning, links, keeping, access],
  servers: [controllers, applying, recording, real, ownFiles, ownFilesInNode],
  loading: [first, failures],
  policy: [versions, workspaces, hostile],
};

const lane = process.env.PLANLOOM_LANE;
await running(async () => {
  for (const group of lane ? LANES[lane] : Object.values(LANES).flat()) await group();
});
