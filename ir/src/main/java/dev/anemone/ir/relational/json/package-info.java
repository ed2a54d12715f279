// SPDX-License-Identifier: Apache-2.0
/**
 * Plans and operators as JSON, to be sent to where the data is. What is read comes from anywhere
 * and is trusted in nothing: it is a plan of known operators, well typed, of bounded size and
 * depth, or it is refused with the reason.
 */
package dev.anemone.ir.relational.json;
