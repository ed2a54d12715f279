// SPDX-License-Identifier: Apache-2.0
/** The wires of this machine by name. */
package dev.anemone.runtime.push.wires;
