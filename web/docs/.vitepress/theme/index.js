import Theme from "vitepress/theme";
import "planloom/element";
import "planloom/element.css";
import "./theme.css";
import ControllerChain from "./ControllerChain.vue";

export default {
  extends: Theme,
  enhanceApp: ({ app }) => app.component("ControllerChain", ControllerChain),
};
