// SPDX-License-Identifier: Apache-2.0
/** Where the time of a task goes. */
package dev.anemone.runtime.clock;
