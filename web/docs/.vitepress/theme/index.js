import Theme from "vitepress/theme";
import "planloom/element";
import "planloom/element.css";
import "./theme.css";

export default Theme;
