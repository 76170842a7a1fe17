import "planloom/element";
import "planloom/element.css";
