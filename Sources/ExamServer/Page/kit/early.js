/** The script that runs before anything is drawn. */
import { watchScripts } from "./late.js";
import { theme } from "./theme.js";

watchScripts();
theme.apply();
