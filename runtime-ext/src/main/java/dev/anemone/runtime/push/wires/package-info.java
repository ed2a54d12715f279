/** The wires of this machine by name. */
package dev.anemone.runtime.push.wires;
