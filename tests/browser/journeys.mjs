// The journeys, in groups that run one beside another: each has a browser and a server of its own.
import { access } from "./journeys/access.mjs";
import { applying } from "./journeys/applying.mjs";
import { controllers } from "./journeys/controllers.mjs";
import { crashing } from "./journeys/crashing.mjs";
import { editing } from "./journeys/editing.mjs";
import { files } from "./journeys/files.mjs";
import { first } from "./journeys/first.mjs";
import { keeping } from "./journeys/keeping.mjs";
import { large } from "./journeys/large.mjs";
import { links } from "./journeys/links.mjs";
import { planning } from "./journeys/planning.mjs";
import { real } from "./journeys/real.mjs";
import { recording } from "./journeys/recording.mjs";
import { trouble } from "./journeys/trouble.mjs";
import { versions } from "./journeys/versions.mjs";

/** By name; the longest come first, so that none is left over at the end. */
export const groups = {
  applying,
  versions,
  large,
  real,
  crashing,
  controllers,
  links,
  planning,
  recording,
  keeping,
  editing,
  access,
  files,
  trouble,
  first,
};
